package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.config.ReplacedIdentityException;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A new machine that knows the genesis file, in whose chain all other nodes have changed their keys. */
@Timeout(300)
class ChangedKeysTest {
    private static final int NEWCOMER = 3;

    @TempDir
    private Path files;

    private String output;

    @Test
    void shouldLetAMachineJoinByAMembershipProof() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            cluster.awaitConnected();
            for (int node = 0; node < NEWCOMER; node++) {
                Path key = changeKey(cluster, node);
                Files.copy(
                        key,
                        cluster.nodeDirectory(node).keyFile(),
                        StandardCopyOption.REPLACE_EXISTING,
                        StandardCopyOption.COPY_ATTRIBUTES);
                cluster.startNode(node);
                awaitEpoch(cluster, node + 1, 0, 1, 2, NEWCOMER);
            }
            cluster.replaceMachine(NEWCOMER, changeKey(cluster, NEWCOMER));
            awaitEpoch(cluster, 4, 0, 1, 2);

            Path proof = cluster.nodeDirectory(NEWCOMER).membershipProofFile();
            Files.writeString(proof, "no proof");
            cluster.startNode(NEWCOMER);
            cluster.await(
                    "it refuses the keys of the others", () -> EpochsTest.refusals(cluster.node(NEWCOMER)) >= NEWCOMER);
            assertThat(cluster.node(NEWCOMER).status().getEpoch()).isZero();
            assertThat(cluster.node(NEWCOMER).status().getConnectedPeersList()).isEmpty();
            cluster.kill(NEWCOMER);

            Files.delete(proof);
            String genesis = cluster.nodeDirectory(0).genesisFile().toString();
            tool("light", proof.toString(), "--genesis", genesis, "--cluster", directory(cluster, 0));
            cluster.startNode(NEWCOMER);
            awaitEpoch(cluster, 4, 0, 1, 2, NEWCOMER);
            TestBroker broker = cluster.broker(1, 1);
            cluster.await("it takes part", () -> cluster.node(NEWCOMER).status().getReady());
            assertThat(broker.refusalOf(broker.batch(2))).isNull();
            cluster.assertEqualChains();
        }
    }

    /** Returns the new key of a node, whose process has ended because the chain has it. */
    private Path changeKey(TestCluster cluster, int node) throws Exception {
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
        cluster.awaitFailure(ReplacedIdentityException.class);
        cluster.kill(node);
        return key;
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
