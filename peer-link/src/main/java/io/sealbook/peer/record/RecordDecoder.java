package io.sealbook.peer.record;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.sealbook.peer.frame.MalformedFrameException;
import java.util.List;

/**
 * Opens encrypted records and passes their content on. A record that does not open ends the connection. A peer can make
 * this node hold one record of which nothing is proven yet. The connection's event loop only.
 */
public final class RecordDecoder extends ByteToMessageDecoder {
    private final RecordCipher cipher;
    private final byte[] header = new byte[RecordFormat.HEADER_LENGTH];
    private final byte[] closed = new byte[RecordFormat.CLOSED_LENGTH_MAX];
    private final byte[] opened = new byte[RecordFormat.CONTENT_LENGTH_MAX];
    private boolean hasFailed;

    /** @param key 32 bytes from the handshake, of this direction alone */
    public RecordDecoder(byte[] key) {
        this(key, RecordCipher.RECORDS_PER_KEY);
    }

    RecordDecoder(byte[] key, int recordsPerKey) {
        this.cipher = RecordCipher.opening(key, recordsPerKey);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> contents)
            throws MalformedFrameException {
        if (hasFailed) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (in.readableBytes() < RecordFormat.HEADER_LENGTH) {
            return;
        }
        int at = in.readerIndex();
        in.getBytes(at, header);
        long length = in.getUnsignedIntLE(at);
        if (length < 1 || length > RecordFormat.CONTENT_LENGTH_MAX) {
            throw failed("length of a record is " + length + ", expected 1.." + RecordFormat.CONTENT_LENGTH_MAX);
        }
        int closedLength = (int) length + RecordCipher.TAG_LENGTH;
        if (in.readableBytes() < RecordFormat.HEADER_LENGTH + closedLength) {
            return;
        }
        in.skipBytes(RecordFormat.HEADER_LENGTH).readBytes(closed, 0, closedLength);
        if (!cipher.apply(header, closed, closedLength, opened)) {
            throw failed("record does not open: it was changed, repeated or left out");
        }
        contents.add(context.alloc().ioBuffer((int) length).writeBytes(opened, 0, (int) length));
    }

    private MalformedFrameException failed(String fact) {
        hasFailed = true;
        return new MalformedFrameException(fact, 0);
    }
}
