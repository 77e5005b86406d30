package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.consensus.config.ReplacedIdentityException;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.peers.Speech;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Of five nodes one is dead, and another is removed. The vote of the removed node for the last block is lost, so that
 * this node alone has the certificate: the others need what it shows them after its last epoch.
 */
@Timeout(300)
class FarewellTest {
    private static final int DEAD = 2;
    private static final int REMOVED = 4;

    @TempDir
    private Path files;

    private String output;

    @Test
    void shouldShowTheOthersTheLastCertificateBeforeTheNodeEnds() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            addFifthNode(cluster);
            cluster.kill(REMOVED);
            cluster.startNode(
                    REMOVED,
                    fatal -> ConsensusNode.openLaboratory(
                            cluster.nodeDirectory(REMOVED),
                            StartOptions.NONE,
                            fatal,
                            FarewellTest::withoutCheckpoints));

            removeWithoutTheDeadNode(cluster);

            cluster.awaitFailure(ReplacedIdentityException.class);
            awaitEpoch(cluster, 2, 0, 1, 3);
        }
    }

    @Test
    void shouldShowTheOthersTheLastCertificateAtTheStartOfANodeThatWasKilled() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            addFifthNode(cluster);
            cluster.kill(REMOVED);
            try (ConsensusNode removed = ConsensusNode.openLaboratory(
                    cluster.nodeDirectory(REMOVED),
                    StartOptions.NONE,
                    failure -> {},
                    FarewellTest::withoutCheckpoints)) {
                removed.start();
                removeWithoutTheDeadNode(cluster);
                cluster.await(
                        "the removed node has the certificate",
                        () -> removed.epochEnd().isDone());
            }
            for (int node : new int[] {0, 1, 3}) {
                assertThat(cluster.node(node).epochEnd()).isNotDone();
            }

            assertThatThrownBy(() -> cluster.startNode(REMOVED))
                    .isInstanceOf(ReplacedIdentityException.class)
                    .hasMessageContaining("former key of node 4");
            awaitEpoch(cluster, 2, 0, 1, 3);
        }
    }

    private static Speech withoutCheckpoints(Speech speech) {
        return (Speech) Proxy.newProxyInstance(
                Speech.class.getClassLoader(), new Class<?>[] {Speech.class}, (proxy, method, arguments) -> {
                    boolean isLost = arguments != null
                            && Arrays.stream(arguments)
                                    .anyMatch(said -> said instanceof Checkpoint || said instanceof CheckpointProof);
                    return isLost ? null : method.invoke(speech, arguments);
                });
    }

    private void addFifthNode(TestCluster cluster) throws Exception {
        Path key = files.resolve("fifth");
        tool("keys", "new", "--plain", key.toString());
        Node machine = cluster.addMachine(key);
        cluster.startNode(REMOVED);
        String option = REMOVED + ":" + key + ".pub:" + machine.getHost() + ":" + machine.getVotePort() + ":"
                + machine.getPayloadPort() + ":" + machine.getGatewayPort() + ":" + machine.getEnginePort();
        submit(cluster, approved(cluster, 3, "--add-node", option));
        awaitEpoch(cluster, 1, 0, 1, DEAD, 3, REMOVED);
    }

    private void removeWithoutTheDeadNode(TestCluster cluster) throws Exception {
        String removal = approved(cluster, 4, "--remove-node", REMOVED + "");
        cluster.kill(DEAD);
        cluster.await(
                "the removed node is connected",
                () -> cluster.node(3).status().getConnectedPeersList().contains(REMOVED));
        submit(cluster, removal);
    }

    private String approved(TestCluster cluster, int approvals, String... change) {
        String transaction = files.resolve("transaction" + approvals).toString();
        tool("admin", "propose", "--node-dir", directory(cluster, 1), "--out", transaction, change[0], change[1]);
        for (int node = 0; node < approvals; node++) {
            tool("admin", "approve", "--node-dir", directory(cluster, node), transaction);
        }
        return transaction;
    }

    private void submit(TestCluster cluster, String transaction) {
        tool("admin", "submit", "--node-dir", directory(cluster, 1), transaction);
    }

    private static void awaitEpoch(TestCluster cluster, int epoch, int... nodes) throws Exception {
        for (int node : nodes) {
            cluster.await("node " + node + " in epoch " + epoch, () -> {
                NodeStatus status = cluster.node(node).status();
                return status.getEpoch() == epoch && status.getConnectedPeersCount() >= nodes.length - 1;
            });
        }
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
