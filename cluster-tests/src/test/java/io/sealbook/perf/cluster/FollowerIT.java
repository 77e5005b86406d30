package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.facts.Facts;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.BestPrice;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.GetEngineStatusRequest;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.MarketDataRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.ReportFrame;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower with its engine, in a directory of its own, as processes: it serves while its node is dead. */
class FollowerIT {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(300);
    private static final int HEAP_MB = 256;
    private static final int ACCOUNT = 1;
    private static final MarketDataRequest ALL = MarketDataRequest.getDefaultInstance();

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    @Timeout(value = 25, unit = TimeUnit.MINUTES)
    void shouldServeQueriesAndProofsWhileItsNodeIsDead() throws Exception {
        Path home = Home.find();
        ClusterPlan plan = ClusterPlan.of(
                home,
                directory.resolve("cluster"),
                LocalCluster.freeBasePort(4),
                4,
                List.of("sm2"),
                List.of("1:ABC:2:1:200000:1000000"));
        try (PortBlock ports = PortBlock.take(4);
                LocalCluster cluster = LocalCluster.prepare(plan)) {
            Path follower = followerDirectory(cluster, ports.base());
            ManagedProcess node = process(home, "consensus-node", "follow", follower);
            ManagedProcess engine = process(home, "matching-engine", "start", follower);
            ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", ports.base() + 1)
                    .usePlaintext()
                    .build();
            try {
                cluster.start();
                cluster.awaitReady(READY_TIMEOUT);
                node.start();
                engine.start();
                long last = trade(cluster, 1, 40);
                EngineState before = awaitExecuted(channel, cluster.awaitQuiet(last, READY_TIMEOUT), node, engine);
                assertThat(before.getOrders()).isEqualTo(40);
                assertEqualStreams(cluster, channel);

                cluster.killNode(0);
                String url = "http://127.0.0.1:" + ports.base();
                assertThat(get(url + "/api/orders/1/17")).contains("\"clOrdId\"");
                String history = get(url + "/api/orders/1/17/history");
                Path proof = directory.resolve("batch.proof");
                Files.write(proof, bytes(url + proofPath(history)));
                assertThat(run(
                                home,
                                "verify-proof",
                                proof.toString(),
                                "--genesis",
                                follower.resolve("genesis.json").toString()))
                        .isZero();

                long later = trade(cluster, 41, 60);
                EngineState after = awaitExecuted(channel, later, node, engine);
                assertThat(after.getOrders()).as("blocks of another node").isEqualTo(60);

                node.kill();
                engine.kill();
                cluster.startNode(0);
                cluster.awaitReady(READY_TIMEOUT);
                long last2 = trade(cluster, 61, 70);
                node.start();
                engine.start();
                List<EngineState> all = cluster.awaitQuiet(last2, READY_TIMEOUT);
                assertThat(awaitExecuted(channel, all, node, engine).getOrders())
                        .isEqualTo(70);
            } finally {
                node.stop(READY_TIMEOUT.toMillis());
                engine.stop(READY_TIMEOUT.toMillis());
                channel.shutdownNow();
            }
            assertThat(run(
                            home,
                            "verify",
                            follower.resolve("archive").toString(),
                            "--genesis",
                            follower.resolve("genesis.json").toString(),
                            "--allow-uncertified-tail"))
                    .isZero();
        }
    }

    /** What the engine of the follower streams is what that of a node does. */
    private static void assertEqualStreams(LocalCluster cluster, ManagedChannel follower) {
        Node node = cluster.genesis().genesis().getNodes(1);
        ManagedChannel ofNode = NettyChannelBuilder.forAddress(node.getHost(), node.getEnginePort())
                .usePlaintext()
                .build();
        try {
            assertThat(reports(follower, 40)).isEqualTo(reports(ofNode, 40));
            assertThat(depth(follower)).isEqualTo(depth(ofNode));
            BestPrice price = stub(follower).followBestPrices(ALL).next();
            assertThat(price).isEqualTo(stub(ofNode).followBestPrices(ALL).next());
            assertThat(price.getBidPrice()).isEqualTo(1_040);
        } finally {
            ofNode.shutdownNow();
        }
    }

    /** Returns the bytes of a broker's first reports. */
    private static ByteString reports(ManagedChannel channel, int count) {
        Iterator<ReportFrame> frames = ExecutionReportsGrpc.newBlockingStub(channel)
                .withDeadlineAfter(5, TimeUnit.MINUTES)
                .follow(FollowReportsRequest.newBuilder()
                        .setBrokerId(1)
                        .setFromSequence(1)
                        .build());
        ByteString reports = ByteString.EMPTY;
        for (int read = 0; read < count; ) {
            ReportFrame frame = frames.next();
            read += frame.getCount();
            reports = reports.concat(frame.getReports());
        }
        return reports;
    }

    private static Depth depth(ManagedChannel channel) {
        return stub(channel).followDepth(ALL).next();
    }

    private static MarketDataGrpc.MarketDataBlockingStub stub(ManagedChannel channel) {
        return MarketDataGrpc.newBlockingStub(channel).withDeadlineAfter(5, TimeUnit.MINUTES);
    }

    private static Path followerDirectory(LocalCluster cluster, int basePort) throws IOException {
        Path follower = Files.createDirectories(cluster.directory().resolve("elsewhere"));
        Files.copy(cluster.directory().resolve("genesis.json"), follower.resolve("genesis.json"));
        List<String> sources = cluster.genesis().genesis().getNodesList().stream()
                .map(node -> node.getHost() + ":" + node.getGatewayPort())
                .toList();
        Files.write(
                follower.resolve("follower.properties"),
                List.of(
                        "sources=" + String.join(",", sources),
                        "gateway-port=" + (basePort + 2),
                        "admin-port=" + (basePort + 3)));
        Files.write(
                follower.resolve("engine.properties"),
                List.of(
                        "server.address=127.0.0.1",
                        "server.port=" + basePort,
                        "sealbook.engine.grpc-address=127.0.0.1",
                        "sealbook.engine.grpc-port=" + (basePort + 1)));
        return follower;
    }

    private static ManagedProcess process(Path home, String module, String command, Path directory) {
        Path jar = home.resolve(module).resolve("target").resolve(module + ".jar");
        return new ManagedProcess(
                module + " of the follower",
                LocalCluster.java(HEAP_MB, List.of(), jar, List.of(command, directory.toString())),
                directory.resolve(module + ".log"));
    }

    /** Submits orders with these ids, each at a price of its own; returns the last one's block. */
    private static long trade(LocalCluster cluster, int firstId, int lastId) throws Exception {
        try (BrokerClient client = BrokerClient.builder()
                .directory(BrokerDirectory.read(cluster.directory().resolve("broker1")))
                .connect()) {
            List<Long> blocks = new ArrayList<>();
            for (int id = firstId; id <= lastId; id++) {
                Receipt receipt = client.submit(Order.limit(id, ACCOUNT, 1, Side.BUY, 1_000 + id, 10))
                        .get(5, TimeUnit.MINUTES);
                blocks.add(receipt.blockSequence());
            }
            return blocks.stream().mapToLong(Long::longValue).max().orElseThrow();
        }
    }

    private static EngineState awaitExecuted(
            ManagedChannel channel, List<EngineState> engines, ManagedProcess... processes) throws Exception {
        EngineState state = awaitExecuted(channel, engines.get(0).getLastExecuted(), processes);
        assertThat(state.getResultDigest()).isEqualTo(engines.get(0).getResultDigest());
        return state;
    }

    private static EngineState awaitExecuted(ManagedChannel channel, long block, ManagedProcess... processes)
            throws Exception {
        return Facts.awaitPresent(() -> "block " + block + " at the follower's engine", () -> {
            for (ManagedProcess process : processes) {
                process.checkRunning();
            }
            try {
                EngineState state = EngineStatusGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(5, TimeUnit.SECONDS)
                        .getEngineStatus(GetEngineStatusRequest.getDefaultInstance());
                return state.getLastExecuted() >= block ? Optional.of(state) : Optional.empty();
            } catch (StatusRuntimeException e) {
                channel.resetConnectBackoff();
                return Optional.empty();
            }
        });
    }

    private String get(String url) throws Exception {
        return new String(bytes(url));
    }

    private byte[] bytes(String url) throws Exception {
        HttpResponse<byte[]> answer =
                http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode())
                .as("%s: %s", url, new String(answer.body()))
                .isEqualTo(200);
        return answer.body();
    }

    private static String proofPath(String history) {
        int at = history.indexOf("/api/blocks/");
        assertThat(at).as(history).isNotNegative();
        return history.substring(at, history.indexOf('"', at));
    }

    private static int run(Path home, String... arguments) throws Exception {
        Path jar = home.resolve("block-archive/target/block-archive.jar");
        return new ProcessBuilder(LocalCluster.java(HEAP_MB, List.of(), jar, List.of(arguments)))
                .inheritIO()
                .start()
                .waitFor();
    }
}
