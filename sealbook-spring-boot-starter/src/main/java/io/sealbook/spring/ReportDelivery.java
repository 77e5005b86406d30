package io.sealbook.spring;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.ExecutionReportListener;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.springframework.beans.factory.DisposableBean;

/**
 * Hands each report to all listeners of the application, one after another. It holds reports back until the listeners
 * are complete; then the client's queue and the engines hold them. If the application ends before, the client ends with
 * this object, which must release the client's thread first. {@link #onReport} runs on the client's thread, all else on
 * any.
 */
final class ReportDelivery implements ExecutionReportListener, DisposableBean {
    private final Consumer<Object> events;
    private final CountDownLatch decided = new CountDownLatch(1);
    /** Null if the application ended before its listeners were complete. */
    private volatile List<ExecutionReportListener> listeners;

    private volatile Times times = Times.NONE;
    private volatile ReportDeliveryStoppedEvent stopped;
    private volatile ReportsLostEvent lost;
    private volatile boolean isWired;
    private volatile Runnable end = () -> {};

    /** Notes how long reports take. */
    @FunctionalInterface
    interface Times {
        Times NONE = (report, startedNs, endedNs) -> {};

        /**
         * Notes a report that all listeners have handled.
         *
         * @param report the report
         * @param startedNs when the first listener was called, by the nano time of the virtual machine
         * @param endedNs when the last one had returned
         */
        void handled(ExecutionReport report, long startedNs, long endedNs);
    }

    /**
     * Makes a delivery that is not open.
     *
     * @param events receives a {@link ReportDeliveryStoppedEvent} or a {@link ReportsLostEvent}, when delivery stops
     */
    ReportDelivery(Consumer<Object> events) {
        this.events = events;
    }

    /** Notes that a client delivers to this object. */
    void wired() {
        isWired = true;
    }

    boolean isWired() {
        return isWired;
    }

    /**
     * Notes what closes the client.
     *
     * @param close called when the application has ended, also if it never started; may be called again
     */
    void endsWith(Runnable close) {
        end = close;
    }

    void times(Times value) {
        times = value;
    }

    /** Begins to deliver; a second call does nothing. */
    void open(List<ExecutionReportListener> complete) {
        if (decided.getCount() > 0) {
            listeners = List.copyOf(complete);
            decided.countDown();
        }
    }

    /** Releases the client's thread if delivery was never opened; nothing is delivered then. */
    void abandon() {
        decided.countDown();
    }

    @Override
    public void destroy() {
        abandon();
        end.run();
    }

    /** Returns what a listener has thrown, after which no more reports are delivered; empty if none has. */
    Optional<ReportDeliveryStoppedEvent> stopped() {
        return Optional.ofNullable(stopped);
    }

    /** Returns which report engines do not keep, so that no more are delivered; empty if none is. */
    Optional<ReportsLostEvent> lost() {
        return Optional.ofNullable(lost);
    }

    /** Returns whether no more reports are delivered. */
    boolean isStopped() {
        return stopped != null || lost != null;
    }

    @Override
    public void onReport(ExecutionReport report) {
        awaitDecision();
        long startedNs = System.nanoTime();
        for (ExecutionReportListener listener : listeners) {
            listener.onReport(report);
        }
        times.handled(report, startedNs, System.nanoTime());
    }

    @Override
    public void onStopped(ExecutionReport unhandled, RuntimeException cause) {
        if (listeners == null) {
            return;
        }
        stopped = new ReportDeliveryStoppedEvent(unhandled, cause);
        for (ExecutionReportListener listener : listeners) {
            listener.onStopped(unhandled, cause);
        }
        events.accept(stopped);
    }

    @Override
    public void onLost(long reportSequence, String why) {
        awaitDecision();
        lost = new ReportsLostEvent(reportSequence, why);
        for (ExecutionReportListener listener : listeners) {
            listener.onLost(reportSequence, why);
        }
        events.accept(lost);
    }

    private void awaitDecision() {
        try {
            decided.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("the application ended before its listeners were complete");
        }
        if (listeners == null) {
            throw new CancellationException("the application ended before its listeners were complete");
        }
    }
}
