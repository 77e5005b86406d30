package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.facts.Facts;
import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.perf.broker.RunningLoad;
import io.sealbook.protocol.v1.BrokerQueriesGrpc;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.OpenOrders;
import io.sealbook.protocol.v1.OpenOrdersRequest;
import io.sealbook.protocol.v1.OrderTrace;
import io.sealbook.protocol.v1.TraceOrderRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas and pairs of node and engine in one cluster, under load: the same blocks, the same results, and a directory
 * that either shape continues.
 */
class ShapesIT {
    private static final List<String> SCHEMES = List.of("sm2", "secp256k1");
    private static final LoadMarket MARKET = new LoadMarket(2, 500, SCHEMES.size());
    private static final RunningLoad.Shape LOAD = new RunningLoad.Shape(10, 1_024, 25, true);
    /** Orders have the numbers of the first load: they are refused, in both shapes alike. */
    private static final RunningLoad.Shape AGAIN = new RunningLoad.Shape(10, 1_024, 25, false);

    private static final Duration QUIET_TIMEOUT = Duration.ofMinutes(10);
    private static final int BLOCKS = 20;
    private static final int NODES = 4;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldComeToTheSameBlocksAndResultsInBothShapes() throws Exception {
        long before;
        try (LocalCluster cluster = start(node -> node < 2 ? NodeShape.REPLICA : NodeShape.SPLIT);
                RunningLoad load = RunningLoad.start(cluster, MARKET, LOAD)) {
            load.awaitBlocks(BLOCKS);
            for (int replica = 0; replica < 2; replica++) {
                cluster.killNode(replica);
                load.awaitBlocks(BLOCKS);
                cluster.startNode(replica);
                awaitExecuted(cluster, load.lastBlock());
                load.awaitBlocks(BLOCKS);
            }
            load.end();

            before = load.awaitExecuted().get(0).getLastExecuted();
            assertEqualAnswers(cluster, before);
        }
        assertEqualArchives(before);

        long after;
        try (LocalCluster cluster = start(node -> node % 2 == 0 ? NodeShape.SPLIT : NodeShape.REPLICA)) {
            List<Reached> restarted = states(cluster);
            assertThat(restarted).as("one result after the restart").containsOnly(restarted.get(0));
            assertThat(restarted.get(0).block()).isGreaterThanOrEqualTo(before);
            try (RunningLoad load = RunningLoad.start(cluster, MARKET, AGAIN)) {
                load.awaitBlocks(BLOCKS);
                load.end();
            }
            after = cluster.awaitQuiet(before + 1, QUIET_TIMEOUT).get(0).getLastExecuted();
            assertThat(states(cluster)).containsOnly(states(cluster).get(0));
        }
        assertEqualArchives(after);
    }

    /**
     * Waits until each engine has executed a block. A replica that left its view alone executes and does not call
     * itself ready as long as the others need no vote of it.
     */
    private static void awaitExecuted(LocalCluster cluster, long block) throws Exception {
        Facts.await(() -> "block " + block + " at " + executed(cluster), () -> {
            cluster.checkProcesses();
            return executed(cluster).stream().allMatch(last -> last >= block);
        });
    }

    /** Returns the last block of each engine, -1 for one that does not answer. */
    private static List<Long> executed(LocalCluster cluster) {
        return IntStream.range(0, NODES)
                .mapToObj(node -> cluster.engineState(node)
                        .map(EngineState::getLastExecuted)
                        .orElse(-1L))
                .toList();
    }

    /** What an engine has come to. */
    private record Reached(long block, ByteString digest) {}

    private static List<Reached> states(LocalCluster cluster) throws IOException, InterruptedException {
        return cluster.awaitQuiet(1, QUIET_TIMEOUT).stream()
                .map(state -> new Reached(state.getLastExecuted(), state.getResultDigest()))
                .toList();
    }

    /** Replicas and engines answer a broker's questions alike. */
    private static void assertEqualAnswers(LocalCluster cluster, long block) throws Exception {
        Set<Object> answers = new HashSet<>();
        for (Node node : cluster.genesis().genesis().getNodesList()) {
            ManagedChannel channel = NettyChannelBuilder.forAddress(node.getHost(), node.getEnginePort())
                    .usePlaintext()
                    .build();
            try {
                BrokerQueriesGrpc.BrokerQueriesBlockingStub engine =
                        BrokerQueriesGrpc.newBlockingStub(channel).withDeadlineAfter(5, TimeUnit.MINUTES);
                OpenOrders open = openOrders(engine, block);
                byte[] first = open.getReports()
                        .substring(0, ReportFields.MESSAGE_LENGTH)
                        .toByteArray();
                OrderTrace trace = engine.traceOrder(TraceOrderRequest.newBuilder()
                        .setBrokerId(1)
                        .setClOrdId(ReportFields.of(first).clOrdId())
                        .setAsOfBlock(block)
                        .build());
                assertThat(trace.getStepsCount()).isPositive();
                assertThat(open.getReportSequence()).isPositive();
                answers.add(List.of(trace, open));
            } finally {
                channel.shutdownNow();
            }
        }
        assertThat(answers).as("answers of " + NODES + " engines").hasSize(1);
    }

    /** Returns the answer of an engine, which adds up reports for it: if they are many, in more than one question. */
    private static OpenOrders openOrders(BrokerQueriesGrpc.BrokerQueriesBlockingStub engine, long block)
            throws Exception {
        OpenOrdersRequest request = OpenOrdersRequest.newBuilder()
                .setBrokerId(1)
                .setAsOfBlock(block)
                .build();
        return Facts.awaitPresent(() -> "open orders as of block " + block, () -> {
            try {
                return Optional.of(engine.getOpenOrders(request));
            } catch (StatusRuntimeException e) {
                assertThat(e.getStatus().getDescription()).contains(" are added up");
                return Optional.empty();
            }
        });
    }

    /** Compares all blocks of all nodes, byte by byte. */
    private void assertEqualArchives(long last) throws IOException {
        for (int node = 1; node < NODES; node++) {
            try (ArchiveReader first = archive(0);
                    ArchiveReader other = archive(node)) {
                for (long sequence = 1; sequence <= last; sequence++) {
                    assertThat(other.read(sequence).orElseThrow())
                            .as("block " + sequence + " of node " + node)
                            .isEqualTo(first.read(sequence).orElseThrow());
                }
            }
        }
    }

    private ArchiveReader archive(int node) {
        return ArchiveReader.open(
                directory.resolve("cluster").resolve("node" + node).resolve("archive"));
    }

    private LocalCluster start(IntFunction<NodeShape> shapes) throws Exception {
        Path place = directory.resolve("cluster");
        LocalCluster cluster = LocalCluster.prepare(ClusterPlan.of(
                        Home.find(), place, LocalCluster.freeBasePort(NODES), NODES, SCHEMES, MARKET.instruments())
                .withShapes(shapes));
        try {
            cluster.start();
            awaitExecuted(cluster, 0);
            return cluster;
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }
}
