package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.facts.Facts;
import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.EngineState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL of all processes between receipt and execution: what has a receipt is executed, once, by engines that had not
 * seen its block (decision 79).
 */
class KilledBeforeExecutionIT {
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration QUIET_LIMIT = Duration.ofMinutes(5);
    private static final int BATCHES = 20;
    private static final long PRICE = 10_000;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldExecuteOnceWhatHadItsReceiptAndNoExecution() throws Exception {
        try (LocalCluster cluster = LocalCluster.prepare(ClusterPlan.of(
                Home.find(),
                directory.resolve("cluster"),
                LocalCluster.freeBasePort(4),
                4,
                List.of("sm2"),
                new LoadMarket(1, 1, 1).instruments()))) {
            cluster.start();
            cluster.awaitReady(READY_TIMEOUT);
            long lastBlock = submitWhileNoEngineRuns(cluster);
            for (int node = 0; node < cluster.size(); node++) {
                cluster.killNode(node);
                cluster.killEngine(node);
            }

            cluster.start();
            cluster.awaitReady(READY_TIMEOUT);

            for (EngineState engine : cluster.awaitQuiet(lastBlock, QUIET_LIMIT)) {
                assertThat(engine.getOrders()).isEqualTo(BATCHES);
                assertThat(engine.getRejected()).isZero();
            }
            assertThat(acceptances(cluster)).isEqualTo(eachOnce());
        }
    }

    /** Returns the last block that has one of the orders; each of them has a receipt then, and none a report. */
    private static long submitWhileNoEngineRuns(LocalCluster cluster) throws Exception {
        Map<Long, Long> reports = new ConcurrentHashMap<>();
        try (BrokerClient client = connect(cluster, reports)) {
            for (int node = 0; node < cluster.size(); node++) {
                cluster.engine(node).orElseThrow().pause();
            }
            List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
            for (long order = 1; order <= BATCHES; order++) {
                receipts.add(client.submit(Order.limit(order, 1, 1, Side.BUY, PRICE, 1)));
            }
            long lastBlock = receipts.stream()
                    .mapToLong(receipt -> receipt.join().blockSequence())
                    .max()
                    .orElseThrow();
            assertThat(reports).isEmpty();
            return lastBlock;
        }
    }

    private static BrokerClient connect(LocalCluster cluster, Map<Long, Long> acceptances) throws IOException {
        return BrokerClient.builder()
                .directory(BrokerDirectory.read(cluster.directory().resolve("broker1")))
                .executionReports(report -> count(report, acceptances))
                .connect();
    }

    private static void count(ExecutionReport report, Map<Long, Long> acceptances) {
        if (report.execType() == ExecType.NEW) {
            acceptances.merge(report.clOrdId(), 1L, Long::sum);
        }
    }

    /** Returns how many reports of acceptance the broker has, by ClOrdID. */
    private static Map<Long, Long> acceptances(LocalCluster cluster) throws Exception {
        Map<Long, Long> acceptances = new ConcurrentHashMap<>();
        try (BrokerClient client = connect(cluster, acceptances)) {
            Facts.await(() -> acceptances.size() + " of " + BATCHES + " orders", () -> acceptances.size() >= BATCHES);
        }
        return acceptances;
    }

    private static Map<Long, Long> eachOnce() {
        return LongStream.rangeClosed(1, BATCHES).boxed().collect(Collectors.toMap(id -> id, id -> 1L));
    }
}
