package io.sealbook.spring;

import io.sealbook.client.ExecutionReportListener;
import io.sealbook.client.broker.BrokerClient;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Opens the delivery of reports when all beans exist, and closes the client when the application ends: it waits for
 * batches in flight, and for listeners that are called.
 *
 * <p>It starts before a web server and stops after it, so that requests under way can still submit. A closed client
 * stays closed: a context that was stopped is not started again.
 */
final class BrokerClientLifecycle implements SmartLifecycle, DisposableBean {
    /** Web servers have DEFAULT_PHASE - 2048, their graceful end DEFAULT_PHASE - 1024. */
    static final int PHASE = DEFAULT_PHASE - 4_096;

    private static final long OBSERVATION_INTERVAL_MS = 1_000;

    private final BrokerClient client;
    private final ReportDelivery delivery;
    private final Supplier<List<ExecutionReportListener>> listeners;
    private final BlockAge blockAge;
    private ScheduledExecutorService observer;
    private boolean isRunning;
    private boolean isClosed;

    /**
     * Makes a lifecycle that has not started.
     *
     * @param client connected; closed at the end
     * @param delivery opened at the start
     * @param listeners what it delivers to, asked for at the start
     * @param blockAge observed while the application runs
     */
    BrokerClientLifecycle(
            BrokerClient client,
            ReportDelivery delivery,
            Supplier<List<ExecutionReportListener>> listeners,
            BlockAge blockAge) {
        this.client = client;
        this.delivery = delivery;
        this.listeners = listeners;
        this.blockAge = blockAge;
    }

    @Override
    public synchronized void start() {
        if (isClosed) {
            throw new IllegalStateException("the broker's client was closed when the context was stopped");
        }
        List<ExecutionReportListener> complete = listeners.get();
        if (!complete.isEmpty() && !delivery.isWired()) {
            throw new IllegalStateException(
                    "the application's own BrokerClient does not deliver reports to the listeners of beans: "
                            + "remove them, or change the client of the starter by a BrokerClientCustomizer");
        }
        delivery.open(complete);
        observer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "sealbook-block-age");
            thread.setDaemon(true);
            return thread;
        });
        observer.scheduleWithFixedDelay(
                blockAge::observe, OBSERVATION_INTERVAL_MS, OBSERVATION_INTERVAL_MS, TimeUnit.MILLISECONDS);
        isRunning = true;
    }

    @Override
    public synchronized void stop() {
        isRunning = false;
        isClosed = true;
        if (observer != null) {
            observer.shutdownNow();
        }
        delivery.abandon();
        client.close();
    }

    /** The context may end without having started. */
    @Override
    public void destroy() {
        stop();
    }

    @Override
    public synchronized boolean isRunning() {
        return isRunning;
    }

    /** A paused context starts again, which a closed client cannot: it goes on meanwhile. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
