package io.sealbook.tls.endpoint;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Stands for the channel to an address to which none can be built: each call fails with UNAVAILABLE, as if the server
 * were down. Addresses come from other members, and one that no channel takes must not end more than its own link. Any
 * thread.
 */
public final class UnreachableChannel extends ManagedChannel {
    private final Status status;
    private volatile boolean isShutdown;

    private UnreachableChannel(IllegalArgumentException why) {
        this.status =
                Status.UNAVAILABLE.withDescription("no channel can be opened").withCause(why);
    }

    /**
     * Returns an opened channel, or one whose calls fail if none can be built.
     *
     * @param opener opens a channel; its {@link IllegalArgumentException} means that the address has no valid form
     */
    public static ManagedChannel unless(Supplier<ManagedChannel> opener) {
        try {
            return opener.get();
        } catch (IllegalArgumentException e) {
            return new UnreachableChannel(e);
        }
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
        return new FailingCall<>(status);
    }

    @Override
    public String authority() {
        return "unreachable";
    }

    @Override
    public ConnectivityState getState(boolean requestConnection) {
        return isShutdown ? ConnectivityState.SHUTDOWN : ConnectivityState.TRANSIENT_FAILURE;
    }

    @Override
    public ManagedChannel shutdown() {
        isShutdown = true;
        return this;
    }

    @Override
    public ManagedChannel shutdownNow() {
        return shutdown();
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isShutdown;
    }

    private static final class FailingCall<Q, A> extends ClientCall<Q, A> {
        private final Status status;

        FailingCall(Status status) {
            this.status = status;
        }

        @Override
        public void start(Listener<A> listener, Metadata headers) {
            listener.onClose(status, new Metadata());
        }

        @Override
        public void request(int count) {
            // Nothing comes.
        }

        @Override
        public void cancel(String message, Throwable cause) {
            // It has ended.
        }

        @Override
        public void halfClose() {
            // It has ended.
        }

        @Override
        public void sendMessage(Q message) {
            // It has ended.
        }
    }
}
