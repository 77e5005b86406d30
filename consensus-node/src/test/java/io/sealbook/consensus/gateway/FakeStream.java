package io.sealbook.consensus.gateway;

import io.grpc.stub.ServerCallStreamObserver;

/**
 * The stream of a follower, which a test has take more or not. Passes look at it themselves.
 *
 * @param <A> what it carries
 */
abstract class FakeStream<A> extends ServerCallStreamObserver<A> {
    boolean isReady = true;
    boolean isCancelled;
    Throwable end;
    Runnable onClosed = () -> {};

    @Override
    public void onError(Throwable reason) {
        end = reason;
    }

    @Override
    public final void onCompleted() {
        throw new AssertionError("followers of the tests have no end");
    }

    @Override
    public final boolean isReady() {
        return isReady;
    }

    @Override
    public final boolean isCancelled() {
        return isCancelled;
    }

    @Override
    public final void setOnCancelHandler(Runnable handler) {
        // Passes look themselves.
    }

    @Override
    public final void setOnReadyHandler(Runnable handler) {
        // Passes look themselves.
    }

    @Override
    public final void setOnCloseHandler(Runnable handler) {
        onClosed = handler;
    }

    @Override
    public final void setCompression(String compression) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final void disableAutoInboundFlowControl() {
        throw new UnsupportedOperationException();
    }

    @Override
    public final void request(int count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final void setMessageCompression(boolean enable) {
        throw new UnsupportedOperationException();
    }
}
