package io.sealbook.perf.siege;

import io.sealbook.perf.broker.LoadBroker;
import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.perf.broker.LoadRun;
import io.sealbook.perf.broker.Pace;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.protocol.v1.EngineState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Brokers that trade as long as the siege lasts, and count what they get. {@link #receipts} may be read by any thread;
 * all else belongs to one.
 */
final class HonestLoad implements AutoCloseable {
    /** Their books; the attacker has none. */
    static final LoadMarket MARKET = new LoadMarket(2, 200, 2);

    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration QUIET_LIMIT = Duration.ofMinutes(3);
    private static final int ORDERS_PER_BATCH = 10;
    private static final int IN_FLIGHT_MAX = 4;
    private static final long PAUSE_MS = 20;

    private final LocalCluster cluster;
    private final AtomicLong receipts = new AtomicLong();
    private final LoadRun run = LoadRun.begin(ORDERS_PER_BATCH, LONGEST, at -> receipts.incrementAndGet());
    private final List<LoadBroker> brokers = new ArrayList<>();
    private final List<Future<?>> submissions = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private HonestLoad(LocalCluster cluster) {
        this.cluster = cluster;
    }

    /** Connects the honest brokers of a cluster and lets them trade. */
    static HonestLoad start(LocalCluster cluster) throws IOException {
        HonestLoad load = new HonestLoad(cluster);
        try {
            for (int id = 1; id <= MARKET.brokers(); id++) {
                load.brokers.add(
                        new LoadBroker(cluster.genesis(), cluster.directory(), MARKET, id, IN_FLIGHT_MAX, true));
            }
        } catch (IOException | RuntimeException e) {
            load.close();
            throw e;
        }
        for (LoadBroker broker : load.brokers) {
            load.submissions.add(load.threads.submit(() -> {
                broker.submit(load.run, Pace.closedLoop(PAUSE_MS));
                return null;
            }));
        }
        return load;
    }

    /** Returns the number of batches with f+1 equal receipts. */
    long receipts() {
        return receipts.get();
    }

    /** Fails if a broker or a process of the cluster has ended. */
    void check() throws IOException, InterruptedException {
        cluster.checkProcesses();
        for (Future<?> submission : submissions) {
            if (submission.isDone()) {
                await(submission);
            }
        }
    }

    private static void await(Future<?> submission) throws IOException, InterruptedException {
        try {
            submission.get();
        } catch (ExecutionException e) {
            throw new IOException("an honest broker failed: " + e.getCause().getMessage(), e.getCause());
        }
    }

    /**
     * Lets the brokers submit no more, and counts: every order has its receipt, its execution at every engine, once,
     * not refused and with the same result, and its report.
     */
    AttackResult settle() throws IOException, InterruptedException {
        run.end();
        for (Future<?> submission : submissions) {
            await(submission);
        }
        cluster.awaitQuiet(lastBlock(), QUIET_LIMIT);
        // Reports come in the order of execution: with those of a last batch, no other is on its way.
        for (LoadBroker broker : brokers) {
            LoadRun last = LoadRun.begin(ORDERS_PER_BATCH, LONGEST);
            broker.submit(last, () -> {
                last.end();
                return System.nanoTime();
            });
        }
        List<EngineState> engines = cluster.awaitQuiet(lastBlock(), QUIET_LIMIT);
        boolean areEqual = engines.stream()
                .allMatch(
                        each -> each.getResultDigest().equals(engines.getFirst().getResultDigest()));
        Await.fact("the reports of all orders", () -> missingReports() == 0);
        brokers.forEach(LoadBroker::check);
        long submitted = brokers.stream().mapToLong(LoadBroker::submittedOrders).sum();
        long executed = brokers.stream().mapToLong(LoadBroker::executedOrders).sum();
        String fact = submitted + " orders of " + brokers.size() + " brokers have receipt and report, " + executed
                + " were executed once; results " + (areEqual ? "equal" : "DIFFER");
        return new AttackResult(areEqual && executed == submitted, fact);
    }

    private long lastBlock() {
        return brokers.stream().mapToLong(LoadBroker::lastBlock).max().orElseThrow();
    }

    private long missingReports() {
        return brokers.stream().mapToLong(LoadBroker::missingReports).sum();
    }

    @Override
    public void close() {
        run.end();
        threads.shutdownNow();
        brokers.forEach(LoadBroker::close);
    }
}
