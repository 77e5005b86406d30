package io.sealbook.access.rate;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.sealbook.access.HolderQuota;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Bounds the memory of messages that have begun and not ended. gRPC takes their bytes from the network as they come and
 * gives back the window of flow control for them; services and rates see whole messages only. So a caller that never
 * sends the last byte would hold as much as its calls, times the largest message. The one message of a unary call may
 * have {@value #REQUEST_BYTES_MAX} bytes; those of streams of one holder have bytes together.
 *
 * <p>The server needs it as a factory of stream tracers, and {@link CallRateLimit} among its interceptors. Any thread;
 * a call's bytes come on the event loop of its connection.
 */
public final class UnfinishedRequests extends ServerStreamTracer.Factory {
    /** An administrative transaction with the approvals of all members has half of it. */
    public static final int REQUEST_BYTES_MAX = 32 << 10;

    /** What each piece costs beside its bytes: a buffer of the network holds it until the message has ended. */
    static final int PIECE_BYTES = 512;

    /** Messages of the largest size that one holder may have under way on its streams. */
    private static final int MESSAGES_PER_HOLDER = 8;

    private static final Context.Key<Request> OF_CALL = Context.key("sealbook-unfinished-request");

    private final long holderBytesMax;
    private final Map<Object, Long> ofStreams = new ConcurrentHashMap<>();

    /** @param messageBytesMax of the server */
    public UnfinishedRequests(int messageBytesMax) {
        this.holderBytesMax = (long) MESSAGES_PER_HOLDER * messageBytesMax;
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new Request();
    }

    /**
     * Counts what comes for the call that begins from now on. Does nothing if the server has no such factory.
     *
     * @param holder caller, certificate or address
     * @param onTooMuch is given the reason, once at most; must end the call and not wait
     */
    static void begin(Object holder, Consumer<String> onTooMuch) {
        Request request = OF_CALL.get();
        if (request != null) {
            request.holder = holder;
            request.onTooMuch = onTooMuch;
        }
    }

    /** Returns the bytes of streams that are under way, of all holders. */
    long bytesOfStreams() {
        return ofStreams.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The message of one call that has begun and not ended. */
    private final class Request extends ServerStreamTracer {
        private Object holder;
        private Consumer<String> onTooMuch;
        private boolean isStream;
        private long bytes;

        @Override
        public Context filterContext(Context context) {
            return context.withValue(OF_CALL, this);
        }

        @Override
        public void serverCallStarted(ServerCallInfo<?, ?> call) {
            isStream = !call.getMethodDescriptor().getType().clientSendsOneMessage();
        }

        @Override
        public void inboundWireSize(long count) {
            if (onTooMuch == null) {
                return;
            }
            long added = count + PIECE_BYTES;
            bytes += added;
            if (isStream) {
                if (ofStreams.merge(holder, added, Long::sum) > holderBytesMax) {
                    end(HolderQuota.nameOf(holder) + " has more than " + holderBytesMax
                            + " bytes of messages under way, the most that one may have");
                }
            } else if (bytes > REQUEST_BYTES_MAX) {
                end("a request has more than " + REQUEST_BYTES_MAX + " bytes, the most that one may have");
            }
        }

        private void end(String reason) {
            Consumer<String> once = onTooMuch;
            release();
            onTooMuch = null;
            once.accept(reason);
        }

        private void release() {
            long released = bytes;
            bytes = 0;
            if (isStream && released > 0) {
                ofStreams.computeIfPresent(
                        holder, (of, held) -> held == released ? null : Long.valueOf(held - released));
            }
        }

        @Override
        public void inboundMessageRead(int number, long wireBytes, long messageBytes) {
            release();
        }

        @Override
        public void streamClosed(Status status) {
            release();
        }
    }
}
