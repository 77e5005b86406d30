package io.sealbook.engine.http;

import jakarta.websocket.Extension;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.tomcat.websocket.MessagePart;
import org.apache.tomcat.websocket.Transformation;
import org.apache.tomcat.websocket.TransformationResult;

/**
 * Counts the frames of one WebSocket as their bytes come (RFC 6455, section 5): those of messages, and pings, pongs and
 * empty frames, which no endpoint sees. Is next to the network, so that the bytes are those before decompression. Used
 * by the thread that reads.
 */
final class CountedFrames implements Transformation {
    /** What a client may send on after it was refused, until the connection ends: the buffers of two systems. */
    private static final int DROPPED_BYTES_MAX = 1 << 20;

    /** Two bytes and the mask. */
    private static final int HEADER_BYTES_MIN = 6;

    private final WebSocketCaller caller;
    private Transformation next;
    private boolean isBegun;
    private boolean isRefused;
    private int droppedBytes;

    /** @param caller that has opened the WebSocket */
    CountedFrames(WebSocketCaller caller) {
        this.caller = caller;
    }

    @Override
    public void setNext(Transformation added) {
        if (next == null) {
            next = added;
        } else {
            next.setNext(added);
        }
    }

    /** Is called once at the beginning of each frame. */
    @Override
    public boolean validateRsv(int rsv, byte opCode) {
        isBegun = false;
        return next.validateRsv(rsv, opCode);
    }

    /** Is called at least once for each frame that somebody handles, and when more of its bytes have come. */
    @Override
    public TransformationResult getMoreData(byte opCode, boolean fin, int rsv, ByteBuffer dest) throws IOException {
        int before = dest.position();
        TransformationResult result = next.getMoreData(opCode, fin, rsv, dest);
        count(dest.position() - before);
        return result;
    }

    private void count(int bytes) throws IOException {
        boolean isNew = !isBegun;
        isBegun = true;
        if (isRefused) {
            droppedBytes += bytes + (isNew ? HEADER_BYTES_MIN : 0);
            if (droppedBytes > DROPPED_BYTES_MAX) {
                throw new IOException("sends on after its WebSocket was closed");
            }
        } else if (!caller.admits(isNew, bytes)) {
            isRefused = true;
            caller.end();
        }
    }

    @Override
    public boolean validateRsvBits(int used) {
        return next == null || next.validateRsvBits(used);
    }

    /** It is no extension that was agreed with the client. */
    @Override
    public Extension getExtensionResponse() {
        return null;
    }

    @Override
    public List<MessagePart> sendMessagePart(List<MessagePart> parts) throws IOException {
        return next.sendMessagePart(parts);
    }

    @Override
    public void close() {
        next.close();
    }
}
