package io.sealbook.peer.frame;

import io.netty.buffer.ByteBuf;
import io.sealbook.peer.handshake.HandshakeMessage;
import io.sealbook.peer.message.PeerMessageCodec;

/**
 * Layout of a frame; all integers little-endian.
 *
 * <pre>
 *   header  0   2   magic "SB"
 *           2   1   version, 5
 *           3   1   flags, 0
 *           4   2   length of the key, 24
 *           6   2   number of codes n
 *           8   4   length of the value, 32 + 16 n
 *           12  4   length of the payload
 *           16  8   counter of the sender in this role, rising from frame to frame
 *   key     24  1   type
 *           25  1   reserved, 0
 *           26  2   source
 *           28  4   reserved, 0
 *           32  8   view
 *           40  8   sequence; the counter for types that have none
 *   value   48  32  digest of the payload
 *           80  16 n  code for receiver 0, for receiver 1, ...
 *   payload 80 + 16 n
 * </pre>
 *
 * Each code is the first 16 bytes of HMAC-SHA-256 over bytes 0..79 under the key that only sender and receiver share.
 * Codes for receivers without a session, and the sender's own, are zeros. There is one for each node of the sender's
 * epoch; a receiver in another epoch may count more nodes, or fewer.
 */
public final class Frame {
    /** Not changed alone: a frame of another version would end a session that the handshake had accepted. */
    public static final int VERSION = HandshakeMessage.VERSION;

    public static final int DIGEST_OFFSET = 48;
    public static final int DIGEST_LENGTH = 32;
    /** Header, key and digest: what a code covers. */
    public static final int COVERED_LENGTH = 80;

    public static final int CODE_LENGTH = 16;

    /** Batches in one frame. */
    public static final int BATCHES_MAX = 64;
    /** Precedes each batch: its length. */
    public static final int BATCH_LENGTH_FIELD = Integer.BYTES;

    static final int HEADER_LENGTH = 24;
    static final int MAGIC = 0x4253; // "SB" read little-endian
    static final int KEY_LENGTH = 24;
    static final int CODE_COUNT_OFFSET = 6;
    /** As many as there may be replicas. */
    public static final int CODE_COUNT_MAX = PeerMessageCodec.REPLICAS_MAX;

    static final int VALUE_LENGTH_OFFSET = 8;
    static final int PAYLOAD_LENGTH_OFFSET = 12;
    private static final int COUNTER_OFFSET = 16;
    private static final int TYPE_OFFSET = 24;
    private static final int SOURCE_OFFSET = 26;
    private static final int VIEW_OFFSET = 32;
    private static final int SEQUENCE_OFFSET = 40;

    private Frame() {}

    /** Returns the offset of the payload in a frame with this many codes. */
    public static int payloadOffset(int codeCount) {
        return COVERED_LENGTH + codeCount * CODE_LENGTH;
    }

    /** Returns the offset of a frame's payload; its lengths are right. */
    public static int payloadOffset(ByteBuf frame) {
        return payloadOffset(codeCount(frame));
    }

    static int codeCount(ByteBuf frame) {
        return frame.getUnsignedShortLE(frame.readerIndex() + CODE_COUNT_OFFSET);
    }

    static void writeHeader(ByteBuf frame, int codeCount, int payloadLength, long counter) {
        frame.writeShortLE(MAGIC)
                .writeByte(VERSION)
                .writeByte(0)
                .writeShortLE(KEY_LENGTH)
                .writeShortLE(codeCount);
        frame.writeIntLE(DIGEST_LENGTH + codeCount * CODE_LENGTH)
                .writeIntLE(payloadLength)
                .writeLongLE(counter);
    }

    static void writeKey(ByteBuf frame, FrameType type, int source, long view, long sequence) {
        frame.writeByte(type.code()).writeByte(0).writeShortLE(source).writeIntLE(0);
        frame.writeLongLE(view).writeLongLE(sequence);
    }

    static long counter(ByteBuf frame) {
        return frame.getLongLE(frame.readerIndex() + COUNTER_OFFSET);
    }

    /** Returns the type's wire code, 0..255. */
    public static int type(ByteBuf frame) {
        return frame.getUnsignedByte(frame.readerIndex() + TYPE_OFFSET);
    }

    static int source(ByteBuf frame) {
        return frame.getUnsignedShortLE(frame.readerIndex() + SOURCE_OFFSET);
    }

    /** Returns the key's view. */
    public static long view(ByteBuf frame) {
        return frame.getLongLE(frame.readerIndex() + VIEW_OFFSET);
    }

    /** Returns the key's sequence. */
    public static long sequence(ByteBuf frame) {
        return frame.getLongLE(frame.readerIndex() + SEQUENCE_OFFSET);
    }

    /** Returns the length of the payload. */
    public static int payloadLength(ByteBuf frame) {
        return frame.getIntLE(frame.readerIndex() + PAYLOAD_LENGTH_OFFSET);
    }
}
