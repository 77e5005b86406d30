package io.sealbook.perf.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.Facts;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.protocol.v1.EngineState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * All brokers of a local cluster, which submit until {@link #end}, each in a thread. A wait here fails as soon as a
 * broker fails or a process of the cluster ends by itself. One thread uses it.
 */
public final class RunningLoad implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration QUIET_LIMIT = Duration.ofMinutes(5);

    /**
     * What each broker does.
     *
     * @param ordersPerBatch orders in a batch
     * @param inFlightMax batches without a receipt
     * @param pauseMs ms between two batches; it leaves processes that start the processor
     * @param hearsReports whether it asks for its execution reports
     */
    public record Shape(int ordersPerBatch, int inFlightMax, long pauseMs, boolean hearsReports) {}

    private final LocalCluster cluster;
    private final LoadRun run;
    private final List<LoadBroker> brokers = new ArrayList<>();
    private final List<Future<?>> submissions = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private RunningLoad(LocalCluster cluster, int ordersPerBatch) {
        this.cluster = cluster;
        this.run = LoadRun.begin(ordersPerBatch, LONGEST);
    }

    /**
     * Connects every broker of the genesis file and lets it submit.
     *
     * @param cluster takes orders; stays the caller's
     * @param market of as many brokers as the genesis file has
     * @param shape of each broker
     */
    public static RunningLoad start(LocalCluster cluster, LoadMarket market, Shape shape) throws IOException {
        RunningLoad load = new RunningLoad(cluster, shape.ordersPerBatch());
        try {
            for (int id = 1; id <= cluster.genesis().genesis().getBrokersCount(); id++) {
                load.brokers.add(new LoadBroker(
                        cluster.genesis(), cluster.directory(), market, id, shape.inFlightMax(), shape.hearsReports()));
            }
        } catch (IOException | RuntimeException e) {
            load.close();
            throw e;
        }
        for (LoadBroker broker : load.brokers) {
            load.submissions.add(load.threads.submit(() -> {
                broker.submit(load.run, Pace.closedLoop(shape.pauseMs()));
                return null;
            }));
        }
        return load;
    }

    /** Returns the last block with a batch of a broker that has its receipt. */
    public long lastBlock() {
        return brokers.stream().mapToLong(LoadBroker::lastBlock).max().orElseThrow();
    }

    /** Waits until this number of further blocks hold batches of the brokers. */
    public void awaitBlocks(int count) throws Exception {
        long target = lastBlock() + count;
        Facts.await(() -> "block " + target + ", last " + lastBlock(), () -> {
            check();
            return lastBlock() >= target;
        });
    }

    /** Lets the brokers submit no more, and waits for all receipts. */
    public void end() throws Exception {
        run.end();
        for (Future<?> submission : submissions) {
            submission.get();
        }
    }

    /**
     * Waits until every engine has executed what the brokers submitted, once, with the same result, and until each
     * order has its report, agreed on by f + 1 engines; fails if a report says that an order was refused. Comes after
     * {@link #end}.
     *
     * @return the state of each engine
     */
    public List<EngineState> awaitExecuted() throws Exception {
        long submitted = brokers.stream().mapToLong(LoadBroker::submittedOrders).sum();
        assertThat(submitted).isPositive();
        List<EngineState> engines = cluster.awaitQuiet(lastBlock(), QUIET_LIMIT);
        for (EngineState engine : engines) {
            assertThat(engine.getOrders()).isEqualTo(submitted);
            assertThat(engine.getResultDigest()).isEqualTo(engines.get(0).getResultDigest());
        }
        Facts.await(() -> "the reports of " + missingReports() + " orders", () -> missingReports() == 0);
        brokers.forEach(LoadBroker::check);
        return engines;
    }

    private long missingReports() {
        return brokers.stream().mapToLong(LoadBroker::missingReports).sum();
    }

    /** A broker that ended has failed; a process that ended explains it better. */
    private void check() throws Exception {
        cluster.checkProcesses();
        for (Future<?> submission : submissions) {
            if (submission.isDone()) {
                submission.get();
            }
        }
    }

    @Override
    public void close() {
        run.end();
        threads.shutdownNow();
        brokers.forEach(LoadBroker::close);
    }
}
