package io.sealbook.engine.reports;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.protocol.v1.ReportFrame;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One broker's report stream: pulls from the store whenever there is something new and the transport has room, so what
 * waits for a slow reader lies in the store and not in memory. Runs on one thread of the pool at a time.
 *
 * <p>States: replaying until it has caught up once, then live; a live follower that falls back by more than the limit
 * is cut with the report to resume from. So is any follower that reads nothing for the stall limit although reports
 * wait for it: one that answers pings and never reads does not keep its place.
 */
final class ReportFollower implements Runnable {
    private final ReportStore store;
    private final ServerCallStreamObserver<ReportFrame> observer;
    private final Executor executor;
    private final EngineProperties.Reports limits;
    private final Consumer<ReportFollower> onEnd;
    private final AtomicInteger signals = new AtomicInteger();
    private long next;
    private boolean isLive;
    /** When the reader last took a frame or had none to take, on the monotonic clock. */
    private long progressNs = System.nanoTime();

    private boolean isEnded;

    ReportFollower(
            ReportStore store,
            long from,
            ServerCallStreamObserver<ReportFrame> observer,
            Executor executor,
            EngineProperties.Reports limits,
            Consumer<ReportFollower> onEnd) {
        this.store = store;
        this.next = from;
        this.observer = observer;
        this.executor = executor;
        this.limits = limits;
        this.onEnd = onEnd;
    }

    /** Tells the follower to look again; from any thread, never waits. */
    void signal() {
        if (signals.getAndIncrement() == 0) {
            executor.execute(this);
        }
    }

    @Override
    public void run() {
        int seen;
        do {
            seen = signals.get();
            if (!isEnded && !observer.isCancelled()) {
                follow();
            }
        } while (signals.addAndGet(-seen) != 0);
    }

    private void follow() {
        try {
            while (observer.isReady() && store.last() >= next) {
                if (!send()) {
                    end(Status.OUT_OF_RANGE.withDescription(
                            "reports are kept from " + store.first() + ", the next of this stream is " + next));
                    return;
                }
            }
        } catch (RuntimeException failure) {
            end(Status.INTERNAL.withDescription("cannot read report " + next).withCause(failure));
            return;
        }
        long lag = store.last() - next + 1;
        long stalledNs = System.nanoTime() - progressNs;
        if (lag <= 0) {
            isLive = true;
            progressNs = System.nanoTime();
        } else if (stalledNs > TimeUnit.MILLISECONDS.toNanos(limits.stallMs())) {
            end(Status.RESOURCE_EXHAUSTED.withDescription("stream read nothing for "
                    + TimeUnit.NANOSECONDS.toMillis(stalledNs) + " ms, at most " + limits.stallMs()
                    + " ms; resume from report " + next));
        } else if (isLive && lag > limits.lagMax()) {
            end(Status.RESOURCE_EXHAUSTED.withDescription(
                    "stream lags by " + lag + " reports, at most " + limits.lagMax() + "; resume from report " + next));
        }
    }

    /** Sends a frame; returns false when the next report is no longer kept. */
    private boolean send() {
        int wanted = (int) Math.min(limits.frameReportsMax(), store.last() - next + 1);
        ByteBuffer records = ByteBuffer.allocate(wanted * ReportStore.RECORD_LENGTH);
        int count = store.read(next, records);
        if (count == 0) {
            return false;
        }
        observer.onNext(ReportFrame.newBuilder()
                .setFirstSequence(next)
                .setCount(count)
                .setReports(UnsafeByteOperations.unsafeWrap(records.flip()))
                .build());
        next += count;
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
