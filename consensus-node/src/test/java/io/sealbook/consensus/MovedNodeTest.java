package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.JsonFormat;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.endpoint.KnownNodesFile;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.facts.Facts;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.GetEndpointsRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.tls.endpoint.SignedEndpoint;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes listen at other addresses than those of the genesis file, and nothing but their own settings says so. */
class MovedNodeTest {
    @TempDir
    private Path directory;

    private String output;

    @Test
    void shouldBeFoundAtItsNewPorts() throws Exception {
        try (PortBlock ports = PortBlock.take(8);
                TestCluster cluster = TestCluster.start()) {
            cluster.kill(0);
            cluster.kill(2);
            move(cluster, 0, ports.base());
            move(cluster, 2, ports.base() + 4);
            cluster.startNode(0);
            cluster.awaitConnected();
            cluster.startNode(2);
            cluster.awaitConnected();
            awaitGatewayPort(cluster, 1, 0, ports.base() + 2);
            awaitGatewayPort(cluster, 1, 2, ports.base() + 6);

            cluster.kill(3);
            cluster.startNode(3);
            cluster.awaitConnected();
            assertThat(records(cluster, 3)).extracting(SignedEndpoint::serial).containsExactly(1L, 1L);

            cluster.kill(0);
            Files.delete(cluster.nodeDirectory(0).knownNodesFile());
            restore(cluster, 0);
            cluster.startNode(0);
            cluster.awaitConnected();
            int inGenesis = cluster.genesis().genesis().getNodes(0).getGatewayPort();
            awaitGatewayPort(cluster, 1, 0, inGenesis);
            awaitGatewayPort(cluster, 3, 0, inGenesis);
            assertThat(records(cluster, 1).get(0).serial())
                    .as("a node that forgot its record learns its number from the others")
                    .isEqualTo(2);
            cluster.assertEqualChains();
        }
    }

    @Test
    void shouldBeFoundByToolsAndFollowers() throws Exception {
        try (PortBlock ports = PortBlock.take(16);
                TestCluster cluster = TestCluster.start();
                TestFollower follower = new TestFollower(directory.resolve("follower"), cluster)) {
            NodeDirectory stranger = new NodeDirectory(directory.resolve("stranger"));
            Files.createDirectory(stranger.root());
            Files.copy(cluster.nodeDirectory(0).genesisFile(), stranger.genesisFile());
            for (int node = 0; node < 3; node++) {
                cluster.kill(node);
                move(cluster, node, ports.base() + 4 * node);
                cluster.startNode(node);
                cluster.awaitConnected();
                awaitGatewayPort(cluster, 3, node, ports.base() + 4 * node + 2);
            }

            assertThat(tool("status", "--cluster", stranger.root().toString()))
                    .as(() -> output)
                    .isZero();
            assertThat(tool("admin", "show", "--cluster", stranger.root().toString()))
                    .as(() -> output)
                    .isZero();
            assertThat(output).contains("node 0: 0 transactions", "node 3: 0 transactions");
            for (int node = 0; node < 4; node++) {
                String own = cluster.nodeDirectory(node).root().toString();
                assertThat(tool("status", own)).as(() -> output).isZero();
                assertThat(tool("doctor", own)).as(() -> output).isZero();
                assertThat(output).contains("OK node 0: same genesis file").doesNotContain("no answer");
            }

            List<Integer> moved = List.of(ports.base() + 2, ports.base() + 6, ports.base() + 10);
            Facts.await(
                    "the follower reads from node 3 where the others are",
                    () -> gatewayPorts(follower, cluster).containsAll(moved));
            cluster.kill(3);
            Facts.await("a moved node is the source", () -> {
                String source = follower.status().getSource();
                return moved.stream().anyMatch(port -> source.endsWith(":" + port));
            });
        }
    }

    private static List<Integer> gatewayPorts(TestFollower follower, TestCluster cluster) throws Exception {
        Genesis genesis = cluster.genesis().genesis();
        return KnownNodesFile.present(
                        follower.directory().knownNodesFile(), genesis.getChainId(), genesis.getNodesList())
                .stream()
                .map(Node::getGatewayPort)
                .toList();
    }

    private int tool(String... arguments) {
        StringWriter lines = new StringWriter();
        PrintWriter out = new PrintWriter(lines, true);
        int exitCode = NodeTool.commandLine().setOut(out).setErr(out).execute(arguments);
        output = lines.toString();
        return exitCode;
    }

    /** All move at once, and nobody is where any record says: copies of the genesis file say it. */
    @Test
    void shouldBeFoundWhereACopyOfTheGenesisFileSays() throws Exception {
        try (PortBlock ports = PortBlock.take(16);
                TestCluster cluster = TestCluster.start()) {
            Genesis.Builder moved = Genesis.newBuilder();
            JsonFormat.parser().merge(Files.readString(cluster.nodeDirectory(0).genesisFile()), moved);
            for (int node = 0; node < moved.getNodesCount(); node++) {
                cluster.kill(node);
                int port = ports.base() + 4 * node;
                moved.getNodesBuilder(node)
                        .setVotePort(port)
                        .setPayloadPort(port + 1)
                        .setGatewayPort(port + 2)
                        .setEnginePort(port + 3);
            }
            for (int node = 0; node < moved.getNodesCount(); node++) {
                Files.writeString(cluster.nodeDirectory(node).genesisFile(), GenesisFile.toJson(moved.build()));
                cluster.startNode(node);
            }

            cluster.awaitConnected();

            cluster.assertEqualChains();
        }
    }

    static void move(TestCluster cluster, int node, int port) throws Exception {
        Path settings = cluster.nodeDirectory(node).propertiesFile();
        Files.copy(settings, settings.resolveSibling("before"));
        Files.write(
                settings,
                List.of(
                        "address.vote-port=" + port,
                        "address.payload-port=" + (port + 1),
                        "address.gateway-port=" + (port + 2),
                        "address.engine-port=" + (port + 3)),
                StandardOpenOption.APPEND);
    }

    private static void restore(TestCluster cluster, int node) throws Exception {
        Path settings = cluster.nodeDirectory(node).propertiesFile();
        Files.delete(settings);
        Files.move(settings.resolveSibling("before"), settings);
    }

    private static void awaitGatewayPort(TestCluster cluster, int asked, int node, int port) throws Exception {
        Node of = cluster.genesis().genesis().getNodes(node);
        cluster.await(
                "node " + asked + " has gateway port " + port + " of node " + node,
                () -> records(cluster, asked).stream()
                        .filter(record -> record.identity().equals(of.getIdentity()))
                        .anyMatch(record -> record.statement().getGatewayPort() == port));
    }

    private static List<SignedEndpoint> records(TestCluster cluster, int node) {
        List<EndpointRecord> records = cluster.gateway(node)
                .getEndpoints(GetEndpointsRequest.getDefaultInstance())
                .getRecordsList();
        return records.stream()
                .map(record ->
                        SignedEndpoint.read(record, cluster.genesis().genesis().getChainId()))
                .toList();
    }
}
