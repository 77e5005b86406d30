package io.sealbook.client.reports;

import io.sealbook.client.Checkpointer;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.client.metrics.ClientCounters;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The one thread on which the listener runs. Agreed reports wait in a bounded queue, which the loop fills only as room
 * comes.
 */
final class ReportDispatcher {
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ExecutionReportListener listener;
    private final Optional<Checkpointer> checkpointer;
    private final ClientCounters counters;
    private final BlockingQueue<ExecutionReport> queue;
    private final Thread thread;
    private volatile Runnable onRoom = () -> {};
    private volatile Runnable onStopped = () -> {};
    /** Not null once nothing more is offered; tells the listener. */
    private volatile Runnable lost;

    private volatile boolean isStarved;
    private volatile boolean isClosing;
    private volatile boolean isStopped;

    ReportDispatcher(String name, ReportConfig config, ClientCounters counters) {
        this.listener = config.listener();
        this.checkpointer = config.checkpointer();
        this.counters = counters;
        this.queue = new ArrayBlockingQueue<>(config.queueMax());
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /**
     * Starts the thread, on which the two are called.
     *
     * @param whenRoom called when half of a queue that was full is free again
     * @param whenStopped called when the listener has failed and nothing more will be delivered
     */
    void start(Runnable whenRoom, Runnable whenStopped) {
        onRoom = whenRoom;
        onStopped = whenStopped;
        thread.start();
    }

    /** Returns whether a report would be taken; if not, {@code onRoom} will be called. */
    boolean hasRoom() {
        if (isStopped) {
            return false;
        }
        if (queue.remainingCapacity() > 0) {
            return true;
        }
        isStarved = true;
        // The dispatcher may have emptied the queue before it could see the mark.
        return queue.remainingCapacity() > 0;
    }

    /** Adds a report; the caller is the only one who adds, and has seen room. */
    void offer(ExecutionReport report) {
        queue.add(report);
    }

    /**
     * Ends the delivery after what is queued; nothing is offered any more.
     *
     * @param sequence of the report that does not come
     * @param why for the listener
     */
    void lost(long sequence, String why) {
        lost = () -> listener.onLost(sequence, why);
    }

    /**
     * Delivers what is queued, for at most the given time. The thread ends after the report in hand, which is
     * checkpointed like any other.
     *
     * @param timeoutNs longest wait
     * @throws InterruptedException if the caller is interrupted; delivery ends when the queue is empty then
     */
    void close(long timeoutNs) throws InterruptedException {
        isClosing = true;
        if (Thread.currentThread() == thread) {
            return;
        }
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs)));
        isStopped = true;
    }

    private void run() {
        // Closed with reports left: a later client takes them up from the checkpoint.
        while (!isStopped && !(isClosing && queue.isEmpty())) {
            // Looked at before the queue: nothing is added afterwards.
            Runnable last = lost;
            ExecutionReport report = next();
            if (report != null) {
                deliver(report);
            } else if (last != null && queue.isEmpty()) {
                isStopped = true;
                last.run();
            }
            if (isStarved && queue.remainingCapacity() >= queue.size()) {
                isStarved = false;
                onRoom.run();
            }
        }
    }

    /** Returns the next report; null if none comes for a while. */
    private ExecutionReport next() {
        try {
            return queue.poll(POLL_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            // By the listener: nothing here interrupts the thread, because that would close the checkpoint's channel.
            return null;
        }
    }

    private void deliver(ExecutionReport report) {
        try {
            listener.onReport(report);
            checkpointer.ifPresent(each -> each.handled(report.reportSequence()));
            counters.reports.increment();
        } catch (RuntimeException e) {
            stop(report, e);
        } catch (Error e) {
            stop(report, new IllegalStateException("the listener failed: " + e, e));
        }
    }

    private void stop(ExecutionReport report, RuntimeException why) {
        isStopped = true;
        onStopped.run();
        listener.onStopped(report, why);
    }
}
