package io.sealbook.access.rate;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.sealbook.access.ReadLimit;
import io.sealbook.access.rate.PortRates.Share;
import io.sealbook.tls.role.Caller;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * Refuses calls and messages of a caller that is faster than its rates with RESOURCE_EXHAUSTED; the trailer
 * {@code grpc-retry-pushback-ms} says when it may try again. A stream ends with the message that is too much. First of
 * the interceptors of a port: what is refused for another reason counts too. A call of an unknown method or encoding
 * does not: gRPC ends it with UNIMPLEMENTED before any interceptor, at the cost of a call that is refused here. The
 * server needs {@link UnfinishedRequests}, without which no bytes are counted, and runs services on the threads of
 * connections. Any thread.
 */
public final class CallRateLimit implements ServerInterceptor {
    /** Trailer of gRPC's retry design (A6) that clients obey. */
    static final Metadata.Key<String> PUSHBACK =
            Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

    private final PortRates quota;
    private final LongSupplier clockNs;
    private final BiFunction<ServerCall<?, ?>, Metadata, Optional<Caller>> callers;
    private final BiConsumer<InetSocketAddress, String> onRefused;

    /**
     * Counts the calls that begin from now on.
     *
     * @param quota of the port
     * @param clockNs the time in nanoseconds, from any origin
     * @param callers returns who makes a call, if its role is proven
     * @param onRefused is given the remote address of each call that is refused, and the reason; must not wait
     */
    public CallRateLimit(
            PortRates quota,
            LongSupplier clockNs,
            BiFunction<ServerCall<?, ?>, Metadata, Optional<Caller>> callers,
            BiConsumer<InetSocketAddress, String> onRefused) {
        this.quota = quota;
        this.clockNs = clockNs;
        this.callers = callers;
        this.onRefused = onRefused;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        InetSocketAddress remote = (InetSocketAddress) call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        long nowNs = clockNs.getAsLong();
        Object holder = callers.apply(call, headers)
                .<Object>map(caller -> caller)
                .orElseGet(() -> ReadLimit.unprovenHolder(call, remote));
        Share share = quota.share(holder, remote.getAddress(), nowNs);
        Optional<RateRefusal> refusal = share.takeCall(nowNs);
        if (refusal.isPresent()) {
            onRefused.accept(remote, refusal.get().reason());
            call.close(status(refusal.get()), trailers(refusal.get()));
            return new ServerCall.Listener<>() {};
        }
        EndableCall<Q, A> endable = new EndableCall<>(call, UnfinishedRequests.streamOfCall());
        ByteMeter meter = new ByteMeter(endable, remote, share);
        UnfinishedRequests.begin(holder, meter::count, reason -> {
            // The piece that is too much may complete the message.
            meter.isRefused = true;
            onRefused.accept(remote, reason);
            endable.end(Status.RESOURCE_EXHAUSTED.withDescription(reason), new Metadata());
        });
        return new AdmittedMessages<>(next.startCall(endable, headers), meter);
    }

    private static Status status(RateRefusal refusal) {
        return Status.RESOURCE_EXHAUSTED.withDescription(refusal.reason());
    }

    private static Metadata trailers(RateRefusal refusal) {
        Metadata trailers = new Metadata();
        trailers.put(PUSHBACK, Long.toString(refusal.waitMs()));
        return trailers;
    }

    /**
     * Counts the messages of a call as they came over the network: one may decode to much less. Thread of its
     * connection, which is that of its service.
     */
    private final class ByteMeter {
        private final EndableCall<?, ?> call;
        private final InetSocketAddress remote;
        private final Share share;
        private boolean isRefused;

        ByteMeter(EndableCall<?, ?> call, InetSocketAddress remote, Share share) {
            this.call = call;
            this.remote = remote;
            this.share = share;
        }

        void count(long bytes) {
            if (isRefused) {
                return;
            }
            share.takeBytes(bytes, clockNs.getAsLong()).ifPresent(refusal -> {
                isRefused = true;
                onRefused.accept(remote, refusal.reason());
                call.end(status(refusal), trailers(refusal));
            });
        }
    }

    /** Keeps what is refused from the service. */
    private static final class AdmittedMessages<Q> extends SimpleForwardingServerCallListener<Q> {
        private final ByteMeter meter;

        AdmittedMessages(ServerCall.Listener<Q> service, ByteMeter meter) {
            super(service);
            this.meter = meter;
        }

        @Override
        public void onMessage(Q message) {
            if (!meter.isRefused) {
                super.onMessage(message);
            }
        }

        /** The service answers when the request has ended; it must not see the end of one that it has not seen. */
        @Override
        public void onHalfClose() {
            if (!meter.isRefused) {
                super.onHalfClose();
            }
        }
    }

    /**
     * A call that may end while its service, on another thread, sends: what it sends from then on is dropped. The lock
     * is held while gRPC queues a message.
     */
    private static final class EndableCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
        /** Null if the server sees no frames. */
        private final InboundStream stream;

        private boolean isEnded;

        EndableCall(ServerCall<Q, A> call, InboundStream stream) {
            super(call);
            this.stream = stream;
        }

        /** Ends the call, unless its service has. */
        void end(Status status, Metadata trailers) {
            if (takeEnd()) {
                boolean isAtOnce = EndAtOnce.take(trailers);
                super.close(status, trailers);
                if (stream != null && isAtOnce) {
                    stream.endAtOnce();
                } else if (stream != null) {
                    stream.end();
                }
            }
        }

        private synchronized boolean takeEnd() {
            boolean isTaken = !isEnded;
            isEnded = true;
            return isTaken;
        }

        @Override
        public synchronized void sendHeaders(Metadata headers) {
            if (!isEnded) {
                super.sendHeaders(headers);
            }
        }

        @Override
        public synchronized void sendMessage(A message) {
            if (!isEnded) {
                super.sendMessage(message);
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            end(status, trailers);
        }
    }
}
