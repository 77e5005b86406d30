package io.sealbook.engine.marketdata;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One gRPC stream of market data: when something is new and the transport has room it pulls the newest, on one thread
 * of the pool at a time. A slow reader of prices or depth sees fewer states; of trades it is cut.
 */
abstract class Follower<T> implements Runnable {
    protected final ServerCallStreamObserver<T> observer;
    private final Executor executor;
    private final Consumer<Follower<?>> onEnd;
    private final AtomicInteger signals = new AtomicInteger();
    private boolean isEnded;

    Follower(ServerCallStreamObserver<T> observer, Executor executor, Consumer<Follower<?>> onEnd) {
        this.observer = observer;
        this.executor = executor;
        this.onEnd = onEnd;
    }

    /** Tells the follower to look again; from any thread, never waits. */
    final void signal() {
        if (signals.getAndIncrement() == 0) {
            executor.execute(this);
        }
    }

    @Override
    public final void run() {
        int seen;
        do {
            seen = signals.get();
            if (!isEnded && !observer.isCancelled()) {
                send();
            }
        } while (signals.addAndGet(-seen) != 0);
    }

    /** Sends what is new while {@code observer.isReady()}. */
    protected abstract void send();

    /** Cuts the stream. */
    protected final void end(Status status) {
        isEnded = true;
        onEnd.accept(this);
        observer.onError(status.asRuntimeException());
    }
}
