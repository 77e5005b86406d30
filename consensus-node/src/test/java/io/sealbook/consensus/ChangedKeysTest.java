package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.JsonFormat;
import io.sealbook.consensus.endpoint.KnownNodesFile;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.facts.Facts;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A new machine that knows the genesis file, in whose chain all other nodes have changed their keys. */
@Timeout(300)
class ChangedKeysTest {
    private static final long CHAIN = 4711;
    private static final int NEWCOMER = 3;

    @TempDir
    private Path files;

    private String output;

    @Test
    void shouldLetAMachineJoinByAMembershipProof() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            replaceMachineWhereAllKeysHaveChanged(cluster);

            Path proof = cluster.nodeDirectory(NEWCOMER).membershipProofFile();
            Files.writeString(proof, "no proof");
            cluster.startNode(NEWCOMER);
            cluster.await(
                    "it refuses the keys of the others", () -> EpochsTest.refusals(cluster.node(NEWCOMER)) >= NEWCOMER);
            assertThat(cluster.node(NEWCOMER).status().getEpoch()).isZero();
            assertThat(cluster.node(NEWCOMER).status().getConnectedPeersList()).isEmpty();
            cluster.kill(NEWCOMER);

            Files.delete(proof);
            makeProof(cluster);
            cluster.startNode(NEWCOMER);
            awaitEpoch(cluster, 4, 0, 1, 2, NEWCOMER);
            TestBroker broker = cluster.broker(1, 1);
            cluster.await("it takes part", () -> cluster.node(NEWCOMER).status().getReady());
            assertThat(broker.refusalOf(broker.batch(2))).isNull();
            cluster.assertEqualChains();
        }
    }

    /** The others have moved, then changed their keys: no record that the node has is of a key in the proof. */
    @Test
    void shouldFindNodesThatMovedAndThenChangedTheirKeys() throws Exception {
        try (PortBlock ports = PortBlock.take(4 * NEWCOMER);
                TestCluster cluster = TestCluster.start()) {
            move(cluster, ports);
            awaitAddresses(cluster, NEWCOMER, ports);
            cluster.kill(NEWCOMER);
            changeKeys(cluster, 0, 1, 2);

            makeProof(cluster);
            cluster.startNode(NEWCOMER);
            awaitEpoch(cluster, 3, 0, 1, 2, NEWCOMER);
            cluster.assertEqualChains();
        }
    }

    /** The others have changed their keys, then moved: each address of the proof is deserted. */
    @Test
    void shouldFindNodesThatChangedTheirKeysAndThenMoved() throws Exception {
        try (PortBlock ports = PortBlock.take(4 * NEWCOMER);
                TestCluster cluster = TestCluster.start()) {
            Path key = replaceMachineWhereAllKeysHaveChanged(cluster);
            move(cluster, ports);
            makeProof(cluster);

            awaitAddresses(cluster, 0, ports);
            Files.copy(
                    cluster.nodeDirectory(0).knownNodesFile(),
                    cluster.nodeDirectory(NEWCOMER).knownNodesFile());
            cluster.startNode(NEWCOMER);
            awaitEpoch(cluster, 4, 0, 1, 2, NEWCOMER);
            cluster.assertEqualChains();
            cluster.kill(NEWCOMER);

            Files.move(cluster.formerMachine(NEWCOMER).root(), files.resolve("former"));
            cluster.replaceMachine(NEWCOMER, key);
            makeProof(cluster);
            Path genesis = cluster.nodeDirectory(NEWCOMER).genesisFile();
            Genesis.Builder copy = Genesis.newBuilder();
            JsonFormat.parser().merge(Files.readString(genesis), copy);
            for (int node = 0; node < NEWCOMER; node++) {
                int port = ports.base() + 4 * node;
                copy.getNodesBuilder(node)
                        .setVotePort(port)
                        .setPayloadPort(port + 1)
                        .setGatewayPort(port + 2);
            }
            Files.writeString(genesis, GenesisFile.toJson(copy.build()));
            cluster.startNode(NEWCOMER);
            awaitEpoch(cluster, 4, 0, 1, 2, NEWCOMER);
            cluster.assertEqualChains();
        }
    }

    /** Returns the key of the new machine, which has not been started. */
    private Path replaceMachineWhereAllKeysHaveChanged(TestCluster cluster) throws Exception {
        changeKeys(cluster, 0, 1, 2, NEWCOMER);
        Path key = changeKey(cluster, NEWCOMER, 4, 0, 1, 2);
        cluster.replaceMachine(NEWCOMER, key);
        awaitEpoch(cluster, 4, 0, 1, 2);
        return key;
    }

    /** Changes the keys of all nodes but the newcomer. */
    private void changeKeys(TestCluster cluster, int... running) throws Exception {
        for (int node = 0; node < NEWCOMER; node++) {
            int changed = node;
            int[] others =
                    IntStream.of(running).filter(other -> other != changed).toArray();
            Path key = changeKey(cluster, node, node + 1, others);
            Files.copy(
                    key,
                    cluster.nodeDirectory(node).keyFile(),
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.COPY_ATTRIBUTES);
            cluster.startNode(node);
            awaitEpoch(cluster, node + 1, running);
        }
    }

    /** Moves all nodes but the newcomer, one after the other. */
    private static void move(TestCluster cluster, PortBlock ports) throws Exception {
        for (int node = 0; node < NEWCOMER; node++) {
            cluster.kill(node);
            MovedNodeTest.move(cluster, node, ports.base() + 4 * node);
            cluster.startNode(node);
            cluster.awaitConnected();
        }
    }

    /** Waits until a node has written down where the others have moved to. */
    private static void awaitAddresses(TestCluster cluster, int asked, PortBlock ports) throws Exception {
        Path file = cluster.nodeDirectory(asked).knownNodesFile();
        List<Integer> expected = IntStream.range(0, NEWCOMER)
                .mapToObj(node -> ports.base() + 4 * node + 2)
                .toList();
        cluster.await(
                "the addresses of all in " + file, () -> gatewayPorts(file).equals(expected));
    }

    private static List<Integer> gatewayPorts(Path file) {
        try {
            return KnownNodesFile.present(file, CHAIN, List.of()).stream()
                    .limit(NEWCOMER)
                    .map(Node::getGatewayPort)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives the newcomer a membership proof. */
    private void makeProof(TestCluster cluster) throws Exception {
        Path proof = cluster.nodeDirectory(NEWCOMER).membershipProofFile();
        String genesis = cluster.nodeDirectory(0).genesisFile().toString();
        tool("light", proof.toString(), "--genesis", genesis, "--cluster", directory(cluster, 0));
    }

    /** Returns the new key of a node, whose process has ended once the others are in the epoch that the key begins. */
    private Path changeKey(TestCluster cluster, int node, int epoch, int... others) throws Exception {
        Path key = files.resolve("key" + node);
        tool("keys", "new", "--plain", key.toString());
        int proposer = (node + 1) % NEWCOMER;
        String transaction = files.resolve("transaction" + node).toString();
        tool(
                "admin",
                "propose",
                "--node-dir",
                directory(cluster, proposer),
                "--out",
                transaction,
                "--replace-node",
                node + ":" + key + ".pub");
        for (int approver = 0; approver < 3; approver++) {
            tool("admin", "approve", "--node-dir", directory(cluster, approver), transaction);
        }
        tool("admin", "submit", "--node-dir", directory(cluster, proposer), transaction);
        // The former node may end meanwhile, with a failure.
        Facts.await(
                "nodes " + Arrays.toString(others) + " in epoch " + epoch,
                () -> IntStream.of(others).allMatch(other -> isIn(cluster, epoch, other, others)));
        cluster.endFormer(node);
        return key;
    }

    private static void awaitEpoch(TestCluster cluster, int epoch, int... nodes) throws Exception {
        for (int node : nodes) {
            cluster.await("node " + node + " in epoch " + epoch, () -> isIn(cluster, epoch, node, nodes));
        }
    }

    /** Returns whether a node is in an epoch and connected to the others of some nodes. */
    private static boolean isIn(TestCluster cluster, int epoch, int node, int... nodes) {
        NodeStatus status = cluster.node(node).status();
        return status.getEpoch() == epoch && status.getConnectedPeersCount() >= nodes.length - 1;
    }

    private static String directory(TestCluster cluster, int node) {
        return cluster.nodeDirectory(node).root().toString();
    }

    private void tool(String... arguments) {
        StringWriter lines = new StringWriter();
        PrintWriter out = new PrintWriter(lines, true);
        int exitCode = NodeTool.commandLine().setOut(out).setErr(out).execute(arguments);
        output = lines.toString();
        assertThat(exitCode).as(() -> output).isZero();
    }
}
