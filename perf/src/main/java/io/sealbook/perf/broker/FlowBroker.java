package io.sealbook.perf.broker;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.client.broker.BrokerClientBuilder;
import io.sealbook.perf.flow.FlowCommand;
import io.sealbook.perf.flow.FlowOracle;
import io.sealbook.perf.flow.FlowStep;
import io.sealbook.perf.flow.OrderFlow;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A broker that replays one flow in one instrument: signs and submits the flow in batches, at a pace or as fast as the
 * platform takes it, and compares the reports with the oracle.
 *
 * <p>{@link #replay} runs on the thread that calls it; any thread may read the counters.
 */
public final class FlowBroker implements AutoCloseable {
    private static final long PAUSE_NS = 200_000;
    private static final int OWN_SESSION = 1;
    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(5);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RECEIPT_TIMEOUT = Duration.ofSeconds(60);

    private final int brokerId;
    private final int instrumentId;
    private final OrderFlow flow;
    private final FlowOracle oracle;
    private final BrokerClient client;
    private final RunStatistics statistics;
    private final AtomicLong lastReportNs = new AtomicLong(System.nanoTime());
    private final AtomicLong lastBlock = new AtomicLong();
    private final AtomicLong unanswered = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private FlowBroker(Builder builder) throws IOException {
        this.brokerId = builder.brokerId;
        this.instrumentId = builder.instrumentId;
        this.flow = builder.flow;
        this.statistics = builder.statistics;
        this.oracle = builder.hearsReports ? new FlowOracle(flow) : null;
        BrokerClientBuilder client = BrokerClient.builder()
                .directory(BrokerDirectory.read(builder.clusterDirectory.resolve("broker" + brokerId)))
                // Session 0 is that of a program that is tried meanwhile with this broker's directory.
                .session(OWN_SESSION)
                .inFlightMax(builder.inFlightMax)
                // Going elsewhere may reorder this broker's batches, and the oracle judges the order: only a dead node
                // is left.
                .probe(PROBE_INTERVAL, PROBE_TIMEOUT)
                .receiptTimeout(RECEIPT_TIMEOUT)
                .homeNode(builder.homeNode);
        if (oracle != null) {
            client.executionReports(this::onReport);
        }
        this.client = client.connect();
    }

    /** The settings of a broker. */
    public static final class Builder {
        private final GenesisFile genesis;
        private final Path clusterDirectory;
        private int brokerId = 1;
        private int instrumentId = 1;
        private int homeNode;
        private int inFlightMax = 64;
        private boolean hearsReports = true;
        private OrderFlow flow;
        private RunStatistics statistics;

        /**
         * Begins with defaults.
         *
         * @param genesis of the cluster
         * @param clusterDirectory has the broker's directory with its key
         */
        public Builder(GenesisFile genesis, Path clusterDirectory) {
            this.genesis = genesis;
            this.clusterDirectory = clusterDirectory;
        }

        /**
         * Names the broker.
         *
         * @param brokerId its id in the genesis file
         * @param instrumentId instrument of all its orders
         * @param homeNode node that it submits to, from 0
         */
        public Builder broker(int brokerId, int instrumentId, int homeNode) {
            this.brokerId = brokerId;
            this.instrumentId = instrumentId;
            this.homeNode = homeNode;
            return this;
        }

        /** Bounds the batches that are submitted and not yet answered by receipts. */
        public Builder inFlightMax(int batches) {
            this.inFlightMax = batches;
            return this;
        }

        /** Switches reports on or off. Without them there is no oracle: for experiments that measure ordering alone. */
        public Builder hearsReports(boolean hears) {
            this.hearsReports = hears;
            return this;
        }

        /**
         * Gives the orders.
         *
         * @param flow replayed once
         * @param statistics counts latencies; stays the caller's
         */
        public Builder flow(OrderFlow flow, RunStatistics statistics) {
            this.flow = flow;
            this.statistics = statistics;
            return this;
        }

        public FlowBroker connect() throws IOException {
            return new FlowBroker(this);
        }
    }

    public int brokerId() {
        return brokerId;
    }

    /**
     * Submits the whole flow and returns when every batch has its receipt. At a pace, a batch's latency counts from the
     * time at which it was due, however late it was sent.
     *
     * @param batchSize orders in one batch
     * @param ordersPerSecond pace; 0 means as fast as the platform takes them
     * @throws IllegalStateException if a batch was refused or lost; the cause says why
     */
    public void replay(int batchSize, double ordersPerSecond) throws InterruptedException {
        long startNs = System.nanoTime();
        long sent = 0;
        List<Order> batch = new ArrayList<>(batchSize);
        for (FlowStep step : flow.steps()) {
            for (FlowCommand command : step.commands()) {
                batch.add(FlowOrders.toOrder(command, brokerId, instrumentId));
                if (batch.size() == batchSize) {
                    submit(batch, dueNs(startNs, sent, ordersPerSecond));
                    sent += batch.size();
                    batch = new ArrayList<>(batchSize);
                }
            }
        }
        if (!batch.isEmpty()) {
            submit(batch, dueNs(startNs, sent, ordersPerSecond));
        }
        awaitReceipts();
    }

    /**
     * Waits for the reports of the whole flow, then closes the oracle's book.
     *
     * @param timeoutMs longest wait, in ms
     * @param quietMs after this time without a report, in ms, no more are expected
     * @return the oracle's findings, also if the time passed first
     */
    public FlowOracle.Verdict awaitVerdict(long timeoutMs, long quietMs) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeoutMs * 1_000_000;
        while (System.nanoTime() < deadlineNs) {
            // The last entry counts as executed once no report follows it.
            boolean isComplete = oracle.executedCount() >= flow.commandCount() - 1;
            if (isComplete && System.nanoTime() - lastReportNs.get() > quietMs * 1_000_000) {
                break;
            }
            Thread.sleep(10);
        }
        oracle.finish();
        return oracle.verdict();
    }

    /** Returns the highest block in which a batch of this broker was committed. */
    public long lastBlock() {
        return lastBlock.get();
    }

    /** Returns how often batches were sent again and the home node was left: 0 in an undisturbed run. */
    public long disturbances() {
        return client.metrics().resubmitted() + client.metrics().failovers();
    }

    @Override
    public void close() {
        client.close();
    }

    private void submit(List<Order> orders, long dueNs) {
        awaitTime(dueNs);
        checkFailure();
        int count = orders.size();
        statistics.onSubmitted(count);
        unanswered.incrementAndGet();
        client.submit(orders).whenComplete((receipt, failed) -> onAnswer(receipt, failed, dueNs, count));
    }

    private void onAnswer(Receipt receipt, Throwable failed, long dueNs, int orderCount) {
        if (failed != null) {
            statistics.onFailed(orderCount);
            failure.compareAndSet(null, failed);
        } else {
            statistics.onCommitted(orderCount, System.nanoTime() - dueNs);
            lastBlock.accumulateAndGet(receipt.blockSequence(), Math::max);
        }
        unanswered.decrementAndGet();
    }

    private void awaitReceipts() throws InterruptedException {
        while (unanswered.get() > 0) {
            checkFailure();
            Thread.sleep(1);
        }
        checkFailure();
    }

    private void checkFailure() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException(
                    "broker " + brokerId + ": a batch was not committed: " + failed.getMessage(), failed);
        }
    }

    private static long dueNs(long startNs, long sent, double ordersPerSecond) {
        return ordersPerSecond > 0 ? startNs + (long) (sent / ordersPerSecond * 1e9) : System.nanoTime();
    }

    private static void awaitTime(long dueNs) {
        while (System.nanoTime() < dueNs && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(Math.max(PAUSE_NS, dueNs - System.nanoTime()));
        }
    }

    private void onReport(ExecutionReport report) {
        if (report.execType() == ExecType.TRADE && report.side() == Side.BUY) {
            statistics.onTrade();
        }
        oracle.onReport(report);
        lastReportNs.set(System.nanoTime());
    }
}
