package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.perf.broker.RunningLoad;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL of processes under load: every acknowledged order is executed, once, its broker hears of it, and all engines
 * end equal.
 */
class KilledProcessIT {
    private static final List<String> SCHEMES = List.of("sm2", "secp256k1");
    private static final LoadMarket MARKET = new LoadMarket(2, 500, SCHEMES.size());
    /** Room for what is submitted until a view is installed on a machine that does eight other things. */
    private static final int IN_FLIGHT_MAX = 1_024;

    private static final RunningLoad.Shape ANY_NODE = new RunningLoad.Shape(10, IN_FLIGHT_MAX, 25, true);
    private static final RunningLoad.Shape PRIMARIES = new RunningLoad.Shape(4, IN_FLIGHT_MAX, 100, true);
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(10);

    /** Blocks that the others commit while a process is gone, and all of them before the next one is killed. */
    private static final int BLOCKS = 20;

    @TempDir
    private Path directory;

    /** The first primary, a backup, and the engines of two others. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldLoseNothingWhenAnyNodeOrEngineIsKilledAndRestarted() throws Exception {
        try (LocalCluster cluster = start(4, NodeShape.SPLIT);
                RunningLoad load = RunningLoad.start(cluster, MARKET, ANY_NODE)) {
            load.awaitBlocks(BLOCKS);
            for (int i = 0; i < cluster.size(); i += 2) {
                cluster.killNode(i);
                load.awaitBlocks(BLOCKS);
                cluster.startNode(i);
                cluster.awaitReady(READY_TIMEOUT);
                cluster.killEngine(i + 1);
                load.awaitBlocks(BLOCKS);
                cluster.startEngine(i + 1);
                cluster.awaitReady(READY_TIMEOUT);
                load.awaitBlocks(BLOCKS);
            }
            load.end();

            load.awaitExecuted();
        }
    }

    /**
     * Seven nodes tolerate two faults: the primary and its successor, with their engines in the same processes, at
     * once. Five nodes change the view twice, and five engines still certify.
     */
    @Test
    @Tag("long")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldLoseNothingWhenTwoPrimariesOfSevenAreKilledAtOnce() throws Exception {
        try (LocalCluster cluster = start(7, NodeShape.REPLICA);
                RunningLoad load = RunningLoad.start(cluster, MARKET, PRIMARIES)) {
            load.awaitBlocks(BLOCKS);
            long viewBefore = view(cluster, 6);
            int primary = (int) (viewBefore % cluster.size());
            int successor = (int) ((viewBefore + 1) % cluster.size());
            for (int node : List.of(primary, successor)) {
                cluster.killNode(node);
            }

            load.awaitBlocks(BLOCKS);
            int survivor = (int) ((viewBefore + 2) % cluster.size());
            assertThat(view(cluster, survivor))
                    .as("view after both were killed")
                    .isGreaterThanOrEqualTo(viewBefore + 2);
            for (int node : List.of(primary, successor)) {
                cluster.startNode(node);
            }
            cluster.awaitReady(READY_TIMEOUT);
            load.awaitBlocks(BLOCKS);
            load.end();

            assertThat(load.awaitExecuted()).hasSize(7);
        }
    }

    private static long view(LocalCluster cluster, int node) {
        return cluster.nodeStatus(node).map(NodeStatus::getView).orElseThrow();
    }

    private LocalCluster start(int nodes, NodeShape shape) throws IOException, InterruptedException {
        LocalCluster cluster = LocalCluster.prepare(ClusterPlan.of(
                        Home.find(),
                        directory.resolve("cluster"),
                        LocalCluster.freeBasePort(nodes),
                        nodes,
                        SCHEMES,
                        MARKET.instruments())
                .withShape(shape));
        try {
            cluster.start();
            cluster.awaitReady(READY_TIMEOUT);
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }
}
