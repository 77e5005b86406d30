package io.sealbook.access.rate;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.sealbook.access.HolderQuota;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Bounds the memory of messages that have begun and not ended. gRPC takes their bytes from the network as they come and
 * gives back the window of flow control for them; services and rates see whole messages only. So a caller that never
 * sends the last byte would hold as much as its calls, times the largest message. The one message of a unary call may
 * have {@value #REQUEST_BYTES_MAX} bytes; those of streams of one holder have bytes together. All messages of one
 * holder have at most {@value #PIECES_MAX} pieces together: a piece of one byte is a slice of the buffer in which it
 * came, up to 64 KiB, whatever else was in that.
 *
 * <p>What comes while a service asks for no message waits in gRPC, unseen by tracers. {@link InboundFrames} sees it;
 * one holder has at most {@value #WAITING_BYTES_MAX} bytes of it on all its streams.
 *
 * <p>The server needs it as a factory of stream tracers, and {@link CallRateLimit} among its interceptors. Any thread;
 * a call's bytes come on the event loop of its connection.
 */
public final class UnfinishedRequests extends ServerStreamTracer.Factory {
    /** An administrative transaction with the approvals of all members has half of it. */
    public static final int REQUEST_BYTES_MAX = 32 << 10;

    /** What each piece costs beside its bytes. */
    static final int PIECE_BYTES = 512;

    /** A piece is one DATA frame. Clients send 16 KiB in each: eight messages of 840 KB have 416 pieces. */
    static final int PIECES_MAX = 512;

    /**
     * What may wait of one holder, with what its pieces cost: sixteen times the window of a stream, or the orders that
     * five streams have in windows of messages of 250 bytes.
     */
    static final int WAITING_BYTES_MAX = 16 * InboundBounds.WINDOW_BYTES;

    /** In which a caller may read what was written before the end of its call: 1 MiB takes a slow line so long. */
    private static final long UNREAD_MS_MAX = 30_000;

    /** Length and flag before each message of gRPC. */
    private static final int PREFIX_BYTES = 5;

    /** Messages of the largest size that one holder may have under way on its streams. */
    private static final int MESSAGES_PER_HOLDER = 8;

    private static final Context.Key<Request> OF_CALL = Context.key("sealbook-unfinished-request");

    private final long holderBytesMax;
    private final long unreadMsMax;
    private final Map<Object, UnderWay> ofHolders = new ConcurrentHashMap<>();

    /**
     * What one holder has under way.
     *
     * @param streamBytes of its streams, with what their pieces cost
     * @param pieces of all its calls
     * @param waitingBytes that no service has asked for, with what their pieces cost
     */
    private record UnderWay(long streamBytes, int pieces, long waitingBytes) {
        private static final UnderWay NOTHING = new UnderWay(0, 0, 0);

        UnderWay plus(UnderWay more) {
            return new UnderWay(streamBytes + more.streamBytes, pieces + more.pieces, waitingBytes + more.waitingBytes);
        }
    }

    /** @param messageBytesMax of the server */
    public UnfinishedRequests(int messageBytesMax) {
        this(messageBytesMax, UNREAD_MS_MAX);
    }

    /**
     * @param messageBytesMax of the server
     * @param unreadMsMax after which a call is reset that has ended and whose status has not gone out
     */
    UnfinishedRequests(int messageBytesMax, long unreadMsMax) {
        this.unreadMsMax = unreadMsMax;
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
     * @param onWhole is given the bytes of each message as they came over the network, before a service sees it
     * @param onTooMuch is given the reason, once at most; must end the call and not wait
     */
    static void begin(Object holder, LongConsumer onWhole, Consumer<String> onTooMuch) {
        Request request = OF_CALL.get();
        if (request != null) {
            request.begin(holder, onWhole, onTooMuch);
        }
    }

    /** Returns the stream of the call that begins; null if the server has no such factory, or sees no frames. */
    static InboundStream streamOfCall() {
        Request request = OF_CALL.get();
        return request == null ? null : request.stream;
    }

    /** Returns the bytes of streams that are under way, of all holders. */
    long bytesOfStreams() {
        return ofHolders.values().stream().mapToLong(UnderWay::streamBytes).sum();
    }

    /** Returns the pieces that are under way, of all holders. */
    int pieces() {
        return ofHolders.values().stream().mapToInt(UnderWay::pieces).sum();
    }

    /** Returns the bytes that wait, of all holders, with what their pieces cost. */
    long bytesThatWait() {
        return ofHolders.values().stream().mapToLong(UnderWay::waitingBytes).sum();
    }

    private UnderWay add(Object holder, UnderWay more) {
        return ofHolders.merge(holder, more, UnderWay::plus);
    }

    private void subtract(Object holder, UnderWay less) {
        ofHolders.computeIfPresent(holder, (of, held) -> {
            UnderWay left = held.plus(new UnderWay(-less.streamBytes, -less.pieces, -less.waitingBytes));
            return left.equals(UnderWay.NOTHING) ? null : left;
        });
    }

    /** The message of one call that has begun and not ended, and what waits after it. */
    private final class Request extends ServerStreamTracer implements InboundStream.Account {
        private final InboundStream stream = InboundFrames.beginning();
        private Object holder;
        private LongConsumer onWhole;
        private Consumer<String> onTooMuch;
        private boolean isStream;
        private long bytes;
        private int pieces;
        /** What gRPC has of a call that was too much and whose status is in the socket. */
        private UnderWay unwritten = UnderWay.NOTHING;

        Request() {
            if (stream != null) {
                stream.onCall(unreadMsMax);
            }
        }

        private void begin(Object of, LongConsumer whole, Consumer<String> tooMuch) {
            holder = of;
            onWhole = whole;
            onTooMuch = tooMuch;
            if (stream != null) {
                stream.count(this);
            }
        }

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
            if (stream != null) {
                stream.onTaken();
            }
            if (onTooMuch == null) {
                return;
            }
            long added = count + PIECE_BYTES;
            bytes += added;
            pieces++;
            UnderWay all = UnfinishedRequests.this.add(holder, new UnderWay(isStream ? added : 0, 1, 0));
            if (all.streamBytes > holderBytesMax) {
                end(HolderQuota.nameOf(holder) + " has more than " + holderBytesMax
                        + " bytes of messages under way, the most that one may have");
            } else if (all.pieces > PIECES_MAX) {
                end(HolderQuota.nameOf(holder) + " has more than " + PIECES_MAX
                        + " pieces of messages under way, the most that one may have");
            } else if (!isStream && bytes > REQUEST_BYTES_MAX) {
                end("a request has more than " + REQUEST_BYTES_MAX + " bytes, the most that one may have");
            }
        }

        @Override
        public long cost(int count) {
            return (long) count + PIECE_BYTES;
        }

        @Override
        public boolean mayWait(long cost) {
            UnderWay all = ofHolders.getOrDefault(holder, UnderWay.NOTHING);
            boolean isLetIn = all.waitingBytes + cost <= WAITING_BYTES_MAX;
            if (!isLetIn && onTooMuch != null) {
                end(HolderQuota.nameOf(holder) + " has more than " + WAITING_BYTES_MAX
                        + " bytes that wait on its streams, the most that one may have");
            }
            return isLetIn;
        }

        @Override
        public void add(long cost) {
            if (cost > 0) {
                UnfinishedRequests.this.add(holder, new UnderWay(0, 0, cost));
            } else {
                subtract(holder, new UnderWay(0, 0, -cost));
            }
        }

        /** The call is closed now, unless its status is in the socket: what gRPC has of it counts until then. */
        private void end(String reason) {
            Consumer<String> once = onTooMuch;
            UnderWay ended = new UnderWay(isStream ? bytes : 0, pieces, 0);
            release();
            onTooMuch = null;
            once.accept(reason);
            if (stream != null) {
                UnderWay held = ended.plus(new UnderWay(0, 0, stream.forget()));
                stream.resetAtOnce(() -> {
                    unwritten = held;
                    UnfinishedRequests.this.add(holder, held);
                });
            }
        }

        private void release() {
            if (pieces == 0) {
                return;
            }
            subtract(holder, new UnderWay(isStream ? bytes : 0, pieces, 0));
            bytes = 0;
            pieces = 0;
        }

        @Override
        public void inboundMessageRead(int number, long wireBytes, long messageBytes) {
            release();
            if (onTooMuch != null) {
                onWhole.accept(wireBytes + PREFIX_BYTES);
            }
        }

        @Override
        public void streamClosed(Status status) {
            release();
            if (unwritten != UnderWay.NOTHING) {
                subtract(holder, unwritten);
            }
            if (stream != null) {
                stream.onClosed();
            }
        }
    }
}
