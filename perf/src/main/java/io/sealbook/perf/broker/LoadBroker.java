package io.sealbook.perf.broker;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.client.broker.BrokerClientBuilder;
import io.sealbook.protocol.GenesisFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A broker that puts load on a cluster, run after run: it submits batches of {@link LoadOrders} at a {@link Pace} and
 * hears f+1 equal receipts of each and, unless it is asked not to, f+1 equal reports of each order. It fails if an
 * order is refused or executed twice.
 *
 * <p>{@link #submit} occupies the thread that calls it; any thread may read the counters.
 */
public final class LoadBroker implements AutoCloseable {
    /** A cluster without receipts for this long ends the load: view changes on a busy machine take less. */
    private static final Duration STANDSTILL_MAX = Duration.ofMinutes(5);

    private final int brokerId;
    private final LoadOrders orders;
    /** Null if the broker asks for no reports. */
    private final FirstReports reports;

    private final BrokerClient client;
    private final AtomicLong unanswered = new AtomicLong();
    private final AtomicLong submittedOrders = new AtomicLong();
    private final AtomicLong lastBlock = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final OrderAnswers answers = new OrderAnswers();

    /**
     * Connects a broker of a local cluster.
     *
     * @param genesis of the cluster
     * @param clusterDirectory has the broker's directory with its key
     * @param market the books of all brokers
     * @param brokerId its id in the genesis file
     * @param inFlightMax batches without a receipt
     * @param hearsReports whether it asks the engines for its execution reports
     */
    public LoadBroker(
            GenesisFile genesis,
            Path clusterDirectory,
            LoadMarket market,
            int brokerId,
            int inFlightMax,
            boolean hearsReports)
            throws IOException {
        this.brokerId = brokerId;
        this.orders = market.ordersOf(brokerId);
        this.reports = hearsReports ? new FirstReports() : null;
        BrokerClientBuilder builder = BrokerClient.builder()
                .directory(BrokerDirectory.read(clusterDirectory.resolve("broker" + brokerId)))
                .inFlightMax(inFlightMax)
                .submitTimeout(STANDSTILL_MAX)
                .homeNode((brokerId - 1) % genesis.genesis().getNodesCount());
        if (hearsReports) {
            builder.executionReports(this::onReport);
        }
        this.client = builder.connect();
    }

    /**
     * Submits what is due before the run is over, then waits for the receipts of what is in flight. Reports may come
     * later.
     *
     * @param run takes the answers
     * @param pace when batches are sent
     * @throws IllegalStateException as {@link #check}
     */
    public void submit(LoadRun run, Pace pace) throws InterruptedException {
        if (reports != null) {
            reports.begin(run);
        }
        while (!run.isOver() && failure.get() == null) {
            long intendedNs = pace.awaitNext();
            if (run.contains(intendedNs)) {
                submitBatch(run, intendedNs);
            }
        }
        while (unanswered.get() > 0 && failure.get() == null) {
            Thread.sleep(1);
        }
        check();
    }

    /** Returns the orders submitted in all runs. */
    public long submittedOrders() {
        return submittedOrders.get();
    }

    /** Returns whether as many orders of this broker have rested in the books as ever will. */
    public boolean isBookFull() {
        return orders.hasFilled();
    }

    /** Returns how many orders have no report yet; 0 if the broker asks for none. */
    public long missingReports() {
        return reports == null ? 0 : reports.missing();
    }

    public long lastBlock() {
        return lastBlock.get();
    }

    /**
     * Returns the number of orders that engines have executed, by their reports: the first of those submitted, each of
     * them once unless {@link #check} fails. 0 if the broker asks for no reports.
     */
    public long executedOrders() {
        return answers.last();
    }

    /**
     * Checks what the broker has heard so far.
     *
     * @throws IllegalStateException if a batch was refused or lost, or a report says that an order was refused,
     *     executed twice or left out; the message says why
     */
    public void check() {
        checkFailure();
        answers.fault().ifPresent(fault -> {
            throw new IllegalStateException("broker " + brokerId + ": " + fault);
        });
    }

    @Override
    public void close() {
        client.close();
    }

    private void submitBatch(LoadRun run, long intendedNs) throws InterruptedException {
        int count = run.ordersPerBatch();
        List<Order> batch = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Order order = orders.next();
            while (reports != null && !reports.expect(order.clOrdId(), intendedNs, i == count - 1)) {
                checkFailure();
                Thread.sleep(1);
            }
            batch.add(order);
        }
        unanswered.incrementAndGet();
        submittedOrders.addAndGet(count);
        client.submit(batch).whenComplete((receipt, failed) -> {
            if (failed != null) {
                failure.compareAndSet(null, failed);
            } else {
                long nowNs = System.nanoTime();
                run.onReceipt(nowNs, intendedNs);
                lastBlock.accumulateAndGet(receipt.blockSequence(), Math::max);
            }
            unanswered.decrementAndGet();
        });
    }

    private void onReport(ExecutionReport report) {
        answers.onReport(report);
        reports.onReport(report);
    }

    private void checkFailure() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("broker " + brokerId + ": " + failed.getMessage(), failed);
        }
    }
}
