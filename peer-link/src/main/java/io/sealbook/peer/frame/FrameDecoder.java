package io.sealbook.peer.frame;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Cuts a stream into whole frames. Every length is checked before a byte is waited for, so a peer can make this node
 * hold no more than {@code payloadLengthMax} bytes.
 */
public final class FrameDecoder extends ByteToMessageDecoder {
    private final int payloadLengthMax;

    /** @param payloadLengthMax bytes of a payload at most */
    public FrameDecoder(int payloadLengthMax) {
        this.payloadLengthMax = payloadLengthMax;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> frames)
            throws MalformedFrameException {
        if (in.readableBytes() < Frame.HEADER_LENGTH) {
            return;
        }
        int at = in.readerIndex();
        require(in.getUnsignedShortLE(at) == Frame.MAGIC, "magic is " + in.getUnsignedShortLE(at), 0);
        require(in.getUnsignedByte(at + 2) == Frame.VERSION, "version is " + in.getUnsignedByte(at + 2), 2);
        require(in.getByte(at + 3) == 0, "flags are " + in.getByte(at + 3), 3);
        require(in.getUnsignedShortLE(at + 4) == Frame.KEY_LENGTH, "key length is " + in.getUnsignedShortLE(at + 4), 4);
        int codeCount = Frame.codeCount(in);
        require(
                0 < codeCount && codeCount <= Frame.CODE_COUNT_MAX,
                "number of codes is " + codeCount,
                Frame.CODE_COUNT_OFFSET);
        int valueLength = in.getIntLE(at + Frame.VALUE_LENGTH_OFFSET);
        require(
                valueLength == Frame.DIGEST_LENGTH + codeCount * Frame.CODE_LENGTH,
                "value length is " + valueLength,
                Frame.VALUE_LENGTH_OFFSET);
        int payloadLength = in.getIntLE(at + Frame.PAYLOAD_LENGTH_OFFSET);
        require(
                payloadLength >= 0 && payloadLength <= payloadLengthMax,
                "payload length is " + Integer.toUnsignedString(payloadLength) + ", limit " + payloadLengthMax,
                Frame.PAYLOAD_LENGTH_OFFSET);
        int length = Frame.payloadOffset(codeCount) + payloadLength;
        if (in.readableBytes() >= length) {
            frames.add(in.readRetainedSlice(length));
        }
    }

    private static void require(boolean condition, String fact, int offset) throws MalformedFrameException {
        if (!condition) {
            throw new MalformedFrameException(fact, offset);
        }
    }
}
