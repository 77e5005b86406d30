package io.sealbook.peer.record;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToByteEncoder;
import io.sealbook.vocabulary.BrokenInvariantException;

/** Puts what is written into encrypted records. The connection's event loop only. */
public final class RecordEncoder extends MessageToByteEncoder<ByteBuf> {
    private final RecordCipher cipher;
    private final byte[] header = new byte[RecordFormat.HEADER_LENGTH];
    private final byte[] opened = new byte[RecordFormat.CONTENT_LENGTH_MAX];
    private final byte[] closed = new byte[RecordFormat.CLOSED_LENGTH_MAX];

    /** @param key 32 bytes from the handshake, of this direction alone */
    public RecordEncoder(byte[] key) {
        this(key, RecordCipher.RECORDS_PER_KEY);
    }

    RecordEncoder(byte[] key, int recordsPerKey) {
        super(ByteBuf.class);
        this.cipher = RecordCipher.closing(key, recordsPerKey);
    }

    @Override
    protected ByteBuf allocateBuffer(ChannelHandlerContext context, ByteBuf content, boolean isDirectPreferred) {
        int length = content.readableBytes();
        int records = (length + RecordFormat.CONTENT_LENGTH_MAX - 1) / RecordFormat.CONTENT_LENGTH_MAX;
        return context.alloc().ioBuffer(length + records * RecordFormat.OVERHEAD);
    }

    @Override
    protected void encode(ChannelHandlerContext context, ByteBuf content, ByteBuf out) {
        while (content.isReadable()) {
            int length = Math.min(content.readableBytes(), RecordFormat.CONTENT_LENGTH_MAX);
            RecordFormat.putLength(header, length);
            content.readBytes(opened, 0, length);
            if (!cipher.apply(header, opened, length, closed)) {
                throw new BrokenInvariantException("a record of " + length + " bytes cannot be closed");
            }
            out.writeBytes(header).writeBytes(closed, 0, length + RecordCipher.TAG_LENGTH);
        }
    }
}
