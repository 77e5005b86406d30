package io.sealbook.engine.reports;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.sealbook.engine.setup.EngineSettings;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One broker's report stream: pulls from the store whenever there is something new and the transport has room, so what
 * waits for a slow reader lies in the store and not in memory. Runs on one thread of the pool at a time, and leaves it
 * to the other streams after {@link #FRAMES_PER_TURN} frames.
 *
 * <p>States: replaying until it has caught up once, then live; a live follower that falls back by more than the limit
 * is cut with the report to resume from. So is any follower that reads nothing for the stall limit although reports
 * wait for it: one that answers pings and never reads does not keep its place.
 *
 * @param <F> a frame
 */
final class ReportFollower<F> implements Runnable {
    /** Frames that one stream sends before the other streams have their turns. */
    static final int FRAMES_PER_TURN = 16;

    private final int brokerId;
    private final ReportFeed<F> feed;
    private final ServerCallStreamObserver<F> observer;
    private final Executor executor;
    private final EngineSettings.Reports limits;
    private final Consumer<ReportFollower<?>> onEnd;
    private final AtomicInteger signals = new AtomicInteger();
    private boolean isLive;
    /** Whether reports wait for the reader; any thread reads it. */
    private volatile boolean isBehind;

    /** When the reader last took a frame or had none to take, on the monotonic clock. */
    private long progressNs = System.nanoTime();

    private boolean isEnded;

    ReportFollower(
            int brokerId,
            ReportFeed<F> feed,
            ServerCallStreamObserver<F> observer,
            Executor executor,
            EngineSettings.Reports limits,
            Consumer<ReportFollower<?>> onEnd) {
        this.brokerId = brokerId;
        this.feed = feed;
        this.observer = observer;
        this.executor = executor;
        this.limits = limits;
        this.onEnd = onEnd;
    }

    /**
     * Makes the follower look again if a broker's new reports concern it: they are its broker's, or reports wait for
     * its reader already, who may be too slow. From any thread, never waits.
     */
    void onFlushed(int flushedBrokerId) {
        if (flushedBrokerId == brokerId || isBehind) {
            signal();
        }
    }

    /** Makes the follower look again; from any thread, never waits. */
    void signal() {
        if (signals.getAndIncrement() == 0) {
            executor.execute(this);
        }
    }

    @Override
    public void run() {
        int seen = signals.get();
        boolean isUnfinished = !isEnded && !observer.isCancelled() && follow();
        if (isUnfinished || signals.addAndGet(-seen) != 0) {
            executor.execute(this);
        }
    }

    /** Sends what there is; returns whether its turn ended before. */
    private boolean follow() {
        if (!isBehind) {
            progressNs = System.nanoTime();
        }
        try {
            int frames = 0;
            while (observer.isReady() && feed.last() >= feed.next()) {
                if (frames == FRAMES_PER_TURN) {
                    isBehind = true;
                    return true;
                }
                if (!send()) {
                    end(Status.OUT_OF_RANGE.withDescription(
                            "reports are kept from " + feed.first() + ", the next of this stream is " + feed.next()));
                    return false;
                }
                frames++;
            }
        } catch (Throwable failure) {
            // An error, too: a turn that ends without an end of the stream is the last one.
            end(Status.INTERNAL
                    .withDescription("cannot read report " + feed.next())
                    .withCause(failure));
            return false;
        }
        cutIfSlow();
        return false;
    }

    private void cutIfSlow() {
        long lag = feed.last() - feed.next() + 1;
        isBehind = lag > 0;
        long stalledNs = System.nanoTime() - progressNs;
        if (!isBehind) {
            isLive = true;
        } else if (stalledNs > TimeUnit.MILLISECONDS.toNanos(limits.stallMs())) {
            end(Status.RESOURCE_EXHAUSTED.withDescription("stream read nothing for "
                    + TimeUnit.NANOSECONDS.toMillis(stalledNs) + " ms, at most " + limits.stallMs()
                    + " ms; resume from report " + feed.next()));
        } else if (isLive && lag > limits.lagMax()) {
            end(Status.RESOURCE_EXHAUSTED.withDescription("stream lags by " + lag + " reports, at most "
                    + limits.lagMax() + "; resume from report " + feed.next()));
        }
    }

    /** Sends a frame; returns false when the next report is no longer kept. */
    private boolean send() {
        Optional<F> frame = feed.take();
        if (frame.isEmpty()) {
            return false;
        }
        observer.onNext(frame.get());
        progressNs = System.nanoTime();
        return true;
    }

    private void end(Status status) {
        isEnded = true;
        // The call itself closes only once the slow reader has taken what is on its way; its place is free at once.
        onEnd.accept(this);
        observer.onError(status.asRuntimeException());
    }
}
