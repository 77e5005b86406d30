package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.perf.broker.OutboxBroker;
import io.sealbook.protocol.v1.EngineState;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL of a broker's program with an outbox, and of the node that it sends to: what it signed is executed, once, and
 * no node sees two batches under one number.
 */
class KilledBrokerIT {
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration QUIET_LIMIT = Duration.ofMinutes(5);
    private static final int KILLS = 8;
    private static final int BATCHES_BETWEEN_KILLS = 40;
    private static final int LAST = KILLS * BATCHES_BETWEEN_KILLS;
    /** Of broker 1, by its id. */
    private static final int HOME_NODE = 1;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldExecuteOnceWhatAKilledProgramHadSigned() throws Exception {
        ClusterPlan plan = ClusterPlan.of(
                        Home.find(),
                        directory.resolve("cluster"),
                        LocalCluster.freeBasePort(4),
                        4,
                        List.of("sm2"),
                        new LoadMarket(1, 1, 1).instruments())
                .withShape(NodeShape.REPLICA);
        try (LocalCluster cluster = LocalCluster.prepare(plan)) {
            cluster.start();
            cluster.awaitReady(READY_TIMEOUT);
            Random random = new Random(29);
            for (int kill = 1; kill <= KILLS; kill++) {
                runUntilKilled(cluster, random.nextInt(BATCHES_BETWEEN_KILLS));
                if (kill == KILLS / 2) {
                    cluster.killNode(HOME_NODE);
                }
            }
            cluster.startNode(HOME_NODE);
            cluster.awaitReady(READY_TIMEOUT);
            Process last = start(cluster);
            try {
                assertThat(last.waitFor()).isZero();
            } finally {
                last.destroyForcibly();
            }

            for (EngineState engine : cluster.awaitQuiet(1, QUIET_LIMIT)) {
                assertThat(engine.getOrders()).isEqualTo(2L * LAST);
                assertThat(engine.getRejected()).isZero();
            }
            assertThat(Acceptances.of(cluster, 2 * LAST)).isEqualTo(Acceptances.eachOnce(2 * LAST));
            for (int node = 0; node < cluster.size(); node++) {
                assertThat(evidence(cluster, node)).isEmpty();
            }
        }
    }

    /** The process is killed at any moment after its disk, the node or all nodes have the last batch, or none has. */
    private void runUntilKilled(LocalCluster cluster, int batches) throws IOException, InterruptedException {
        Process program = start(cluster);
        try (BufferedReader lines = program.inputReader()) {
            for (int i = 0; i <= batches; i++) {
                assertThat(lines.readLine())
                        .as("number of batch %d of this run", i)
                        .isNotNull();
            }
        } finally {
            program.destroyForcibly().waitFor();
        }
    }

    private Process start(LocalCluster cluster) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OutboxBroker.class.getName(),
                        brokerDirectory(cluster).toString(),
                        directory.resolve("outbox").toString(),
                        Integer.toString(LAST))
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("broker.log").toFile()))
                .start();
    }

    private static Path brokerDirectory(LocalCluster cluster) {
        return cluster.directory().resolve("broker1");
    }

    private static List<String> evidence(LocalCluster cluster, int node) throws IOException {
        try (var files = Files.list(cluster.directory().resolve("node" + node).resolve("evidence"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("lock"))
                    .toList();
        }
    }
}
