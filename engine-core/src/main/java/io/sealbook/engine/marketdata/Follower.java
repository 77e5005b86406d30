package io.sealbook.engine.marketdata;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One gRPC stream of market data: when something is new and the transport has room it pulls the newest, on one thread
 * of the pool at a time. A slow reader of prices or depth sees fewer states; of trades it is cut. A reader that takes
 * nothing for the stall limit although something waits is cut by the next news: one that answers pings and never reads
 * does not keep its place.
 */
abstract class Follower<T> implements Runnable {
    protected final ServerCallStreamObserver<T> observer;
    private final Delivery delivery;
    private final AtomicInteger signals = new AtomicInteger();
    /** When the transport last had room, on the monotonic clock. */
    private long roomNs = System.nanoTime();

    private boolean isEnded;

    Follower(ServerCallStreamObserver<T> observer, Delivery delivery) {
        this.observer = observer;
        this.delivery = delivery;
    }

    /** Makes the follower look again; from any thread, never waits. */
    final void signal() {
        if (signals.getAndIncrement() == 0) {
            delivery.executor().execute(this);
        }
    }

    /** The reader has taken enough for the transport to have room again; from any thread, never waits. */
    final void onRoom() {
        noteRoom();
        signal();
    }

    /** Notes what the reader has lost by now because it took nothing; from any thread, never waits. */
    protected void noteRoom() {
        // A reader that sees fewer states loses none that counts.
    }

    @Override
    public final void run() {
        int seen;
        do {
            seen = signals.get();
            if (!isEnded && !observer.isCancelled()) {
                followOrEnd();
            }
        } while (signals.addAndGet(-seen) != 0);
    }

    /** A turn that ends without an end of the stream would be the last one. */
    private void followOrEnd() {
        try {
            follow();
        } catch (Throwable failure) {
            end(Status.INTERNAL.withDescription("the engine failed").withCause(failure));
        }
    }

    private void follow() {
        long nowNs = System.nanoTime();
        if (observer.isReady()) {
            roomNs = nowNs;
        }
        send();
        long stalledMs = TimeUnit.NANOSECONDS.toMillis(nowNs - roomNs);
        if (!isEnded && stalledMs > delivery.stallMs()) {
            end(Status.RESOURCE_EXHAUSTED.withDescription(
                    "stream read nothing for " + stalledMs + " ms, at most " + delivery.stallMs() + " ms"));
        }
    }

    /** Sends what is new while {@code observer.isReady()}. */
    protected abstract void send();

    /** Cuts the stream. */
    protected final void end(Status status) {
        isEnded = true;
        delivery.onEnd().accept(this);
        observer.onError(status.asRuntimeException());
    }
}
