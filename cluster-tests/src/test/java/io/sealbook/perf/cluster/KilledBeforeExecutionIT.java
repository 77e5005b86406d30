package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.EngineState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
            assertThat(Acceptances.of(cluster, BATCHES)).isEqualTo(Acceptances.eachOnce(BATCHES));
        }
    }

    /** Returns the last block that has one of the orders; each of them has a receipt then, and none a report. */
    private static long submitWhileNoEngineRuns(LocalCluster cluster) throws Exception {
        Acceptances heard = new Acceptances();
        try (BrokerClient client = heard.connect(cluster)) {
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
            assertThat(heard.counts()).isEmpty();
            return lastBlock;
        }
    }
}
