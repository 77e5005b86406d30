package io.sealbook.engine.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * One record of the journal: a part of one block's messages.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       4       n: length of the messages
 *   4       4       CRC-32C of bytes 8..32+n
 *   8       8       block sequence
 *   16      8       block time, ns since the epoch
 *   24      4       position in the block of the first message
 *   28      4       1 in the last frame of a block, else 0
 *   32      n       SBE messages, each with its header
 * </pre>
 *
 * @param bytes contains messages in {@code 0..length}; reused, valid until the next frame is read
 */
record JournalFrame(long blockSequence, long blockTimeNs, int firstIndex, boolean isLast, byte[] bytes, int length) {
    static final int HEADER_LENGTH = 32;
    /** No frame is longer: a slot of the output ring is far smaller. */
    static final int LENGTH_MAX = 1 << 26;

    private static final int CRC_OFFSET = 4;
    private static final int CRC_START = 8;

    /** Appends the frame to {@code target}, which has room for it. */
    void encode(ByteBuffer target) {
        target.order(ByteOrder.LITTLE_ENDIAN);
        int start = target.position();
        target.putInt(length)
                .putInt(0)
                .putLong(blockSequence)
                .putLong(blockTimeNs)
                .putInt(firstIndex)
                .putInt(isLast ? 1 : 0)
                .put(bytes, 0, length);
        target.putInt(start + CRC_OFFSET, crc(target.array(), start + CRC_START, HEADER_LENGTH - CRC_START + length));
    }

    static int crc(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }

    /** Returns whether the CRC stored in {@code header} is that of the header and of these messages. */
    static boolean isSound(byte[] header, byte[] messages, int messagesLength) {
        CRC32C crc = new CRC32C();
        crc.update(header, CRC_START, HEADER_LENGTH - CRC_START);
        crc.update(messages, 0, messagesLength);
        return ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt(CRC_OFFSET) == (int) crc.getValue();
    }

    /** Returns whether the CRC stored in {@code frame}, a whole one at offset 0, is that of its bytes. */
    static boolean isSound(byte[] frame, int messagesLength) {
        int stored = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(CRC_OFFSET);
        return stored == crc(frame, CRC_START, HEADER_LENGTH - CRC_START + messagesLength);
    }
}
