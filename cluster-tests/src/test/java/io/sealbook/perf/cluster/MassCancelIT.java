package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.client.MassCancelFilter;
import io.sealbook.client.Order;
import io.sealbook.client.OrderTracker;
import io.sealbook.client.TrackedOrder;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.EngineState;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mass cancels on a cluster, and the orders of a program that is killed, as two brokers see them. */
class MassCancelIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void shouldCancelOnRequestAndAfterTheDeathOfAProgram() throws Exception {
        ClusterPlan plan = ClusterPlan.of(
                        Home.find(),
                        directory.resolve("cluster"),
                        LocalCluster.freeBasePort(4),
                        4,
                        List.of("sm2", "secp256k1"),
                        List.of("1:ABC:2:1:200000:1000000"))
                .withShape(NodeShape.REPLICA);
        try (LocalCluster cluster = LocalCluster.prepare(plan)) {
            cluster.start();
            cluster.awaitReady(LIMIT);
            OrderTracker orders = new OrderTracker(report -> {}, 1_000);
            try (BrokerClient client = client(cluster, 1, orders)) {
                client.submit(SilentBroker.bids(1)).get();
                long count = client.massCancel(100, MassCancelFilter.ALL.ofInstrument(1))
                        .get(LIMIT.toSeconds(), TimeUnit.SECONDS);

                assertThat(count).isEqualTo(SilentBroker.ORDERS);
                assertThat(orders.open()).isEmpty();
                assertThat(orders.find(7).map(TrackedOrder::rejectReason)).contains(RejectReason.MASS_CANCEL);
            }

            leaveOrdersOfAKilledProgram(cluster);
            OrderTracker sellers = new OrderTracker(report -> {}, 1_000);
            try (BrokerClient client = client(cluster, 2, sellers)) {
                long id = 1;
                while (trades(client, sellers, id)) {
                    id++; // Blocks come with batches, and time with blocks.
                }
                assertThat(trades(client, sellers, id + 1)).isFalse();
            }
            List<ExecutionReport> ends = new CopyOnWriteArrayList<>();
            try (BrokerClient ignored = client(cluster, 1, report -> add(report, ends))) {
                Facts.await("cancels of all orders of the killed program", () -> ends.size() == SilentBroker.ORDERS);
            }
            assertThat(ends).allSatisfy(report -> assertThat(report.execType()).isEqualTo(ExecType.CANCELED));
            assertThat(cluster.awaitQuiet(1, LIMIT).stream()
                            .map(EngineState::getResultDigest)
                            .distinct())
                    .hasSize(1);
        }
    }

    private static void add(ExecutionReport report, List<ExecutionReport> ends) {
        if (report.rejectReason() == RejectReason.CANCEL_AFTER && report.orderId() != 0) {
            ends.add(report);
        }
    }

    /** Offers a lot for as long as the order comes in; returns whether it was taken. */
    private static boolean trades(BrokerClient client, OrderTracker sellers, long clOrdId) throws Exception {
        client.submit(Order.limit(clOrdId, 2, 1, Side.SELL, SilentBroker.PRICE, 1)
                .withTimeInForce(TimeInForce.IMMEDIATE_OR_CANCEL));
        return sellers.whenDone(clOrdId)
                        .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
                        .cumQty()
                == 1;
    }

    private void leaveOrdersOfAKilledProgram(LocalCluster cluster) throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SilentBroker.class.getName(),
                        brokerDirectory(cluster, 1).toString())
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("broker.log").toFile()))
                .start();
        try (BufferedReader lines = program.inputReader()) {
            assertThat(lines.readLine()).as("the program has orders and a time").isEqualTo("ready");
        } finally {
            program.destroyForcibly().waitFor();
        }
    }

    private static BrokerClient client(LocalCluster cluster, int brokerId, ExecutionReportListener listener)
            throws IOException {
        return BrokerClient.builder()
                .directory(BrokerDirectory.read(brokerDirectory(cluster, brokerId)))
                .executionReports(listener)
                .connectTimeout(LIMIT)
                .connect();
    }

    private static Path brokerDirectory(LocalCluster cluster, int brokerId) {
        return cluster.directory().resolve("broker" + brokerId);
    }
}
