package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.consensus.administration.TransactionFile;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.ReplacedIdentityException;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.endpoint.KnownNodesFile;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.consensus.tool.StartCommand;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.facts.Facts;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.membership.UnknownProtocolVersionException;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.ReplaceNode;
import io.sealbook.protocol.v1.SetParameters;
import io.sealbook.protocol.v1.SubmitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four nodes that go from epoch to epoch while brokers trade. */
@Timeout(300)
class EpochsTest {
    private static final int REPLACED = 3;
    private static final int ADDED = 4;

    @TempDir
    private Path files;

    private String output;
    private int session;

    @Test
    void shouldReplaceADeadMachineAndLetTheNewOneVote() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            trade(cluster, 0, 1, 2, 3);
            cluster.await("a block is certified", () -> light(cluster) == 0);
            assertThat(output).contains("transactions 0, known", "epoch 0 from block 1", ", known already");
            cluster.kill(REPLACED);
            trade(cluster, 0, 1, 2);
            Path key = newKey("machine");

            execute(cluster, replacement(cluster, key));
            awaitEpoch(cluster, 1, 0, 1, 2);
            trade(cluster, 0, 1, 2);

            cluster.startNode(REPLACED);
            cluster.await("the old machine is refused", () -> refusals(cluster.node(0)) > 1);
            assertThat(cluster.node(REPLACED).status().getEpoch()).isZero();
            assertThat(cluster.node(REPLACED).status().getConnectedPeersList()).isEmpty();
            cluster.kill(REPLACED);

            cluster.replaceMachine(REPLACED, key);
            cluster.startNode(REPLACED);
            awaitEpoch(cluster, 1, 0, 1, 2, REPLACED);
            cluster.assertEqualChains();
            assertThat(tool("doctor", cluster.nodeDirectory(REPLACED).root().toString()))
                    .as(() -> output)
                    .isZero();
            assertThat(output).contains("OK key: it is that of node " + REPLACED);
            assertThat(tool(
                            "status",
                            "--cluster",
                            cluster.nodeDirectory(0).root().toString()))
                    .as(() -> output)
                    .isZero();

            cluster.kill(2);
            trade(cluster, 0, 1, REPLACED);
            cluster.startNode(2);
            trade(cluster, 0, 1, 2, REPLACED);
            assertThat(light(cluster)).as(() -> output).isZero();
            assertThat(output)
                    .contains("transactions 1, known", "epoch 1 from block ")
                    .doesNotContain("FAULT", "FORK");
            cluster.assertEqualChains();
            expectEqualArchives(cluster);
            cluster.kill(REPLACED);
            expectApprovalOfANewMemberWithoutItsNode(cluster);
        }
    }

    /** The genesis file has the former key of the node; the membership proof has the present one. */
    private void expectApprovalOfANewMemberWithoutItsNode(TestCluster cluster) {
        String transaction = files.resolve("halt.json").toString();
        String proof = files.resolve("members.proof").toString();
        String genesis = cluster.nodeDirectory(0).genesisFile().toString();
        String member = directory(cluster, REPLACED);
        assertThat(tool("admin", "propose", "--node-dir", directory(cluster, 1), "--out", transaction, "--halt", "1"))
                .as(() -> output)
                .isZero();

        assertThat(tool("admin", "approve", "--node-dir", member, transaction)).isNotZero();
        assertThat(output).contains("node.key is not the key of node " + REPLACED + " in the genesis file");
        assertThat(tool("admin", "approve", "--node-dir", member, "--membership", proof, transaction))
                .as(() -> output)
                .isZero();
        assertThat(output).contains("approved by nodes [" + REPLACED + "], 2 more must approve");

        assertThat(tool("admin", "show-transaction", "--genesis", genesis, transaction))
                .isNotZero();
        assertThat(output).doesNotContain("approved by nodes");
        tool("admin", "show-transaction", "--genesis", genesis, "--membership", proof, transaction);
        assertThat(output).contains("approved by nodes [" + REPLACED + "], 2 more must approve");
        assertThat(tool("admin", "approve", "--node-dir", member, "--membership", genesis, transaction))
                .isNotZero();
        assertThat(output).contains("membership proof " + genesis + ": ");
    }

    /** Follows the chain without its blocks, from the genesis file on, and keeps what it found. */
    private int light(TestCluster cluster) {
        String directory = cluster.nodeDirectory(0).root().toString();
        String genesis = cluster.nodeDirectory(0).genesisFile().toString();
        return tool("light", files.resolve("members.proof").toString(), "--genesis", genesis, "--cluster", directory);
    }

    @Test
    void shouldLetAMachineWaitForItsChangeAndEndTheOneThatRuns() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            trade(cluster, 0, 1, 2, 3);
            Path first = newKey("first");
            Path second = newKey("second");

            execute(cluster, replacement(cluster, first));
            ReplacedIdentityException ended = cluster.awaitFailure(ReplacedIdentityException.class);
            assertThat(ended).hasMessageContaining("former key of node 3");
            cluster.kill(REPLACED);
            cluster.replaceMachine(REPLACED, second);
            assertThatThrownBy(
                            () -> ConsensusNode.open(cluster.formerMachine(REPLACED), StartOptions.NONE, failure -> {}))
                    .isInstanceOf(ReplacedIdentityException.class);
            assertThat(tool("start", cluster.formerMachine(REPLACED).root().toString()))
                    .isEqualTo(StartCommand.IDENTITY_REPLACED);
            assertThat(output.lines()).hasSize(1);

            cluster.startNode(REPLACED);
            NodeStatus waiting = cluster.node(REPLACED).status();
            assertThat(waiting.getReady()).isFalse();
            assertThat(waiting.getNotReadyReason())
                    .isEqualTo("waits for an administrative transaction that names its key");
            awaitEpoch(cluster, 1, 0, 1, 2);
            trade(cluster, 0, 1, 2);

            execute(cluster, replacement(cluster, second));
            awaitEpoch(cluster, 2, 0, 1, 2, REPLACED);
            cluster.kill(1);
            trade(cluster, 0, 2, REPLACED);
            cluster.startNode(1);
            cluster.assertEqualChains();
            expectEqualArchives(cluster);
        }
    }

    @Test
    void shouldSetParametersOfAgreementUnderLoad() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            trade(cluster, 0, 1, 2, 3);
            TestBroker load = cluster.broker(2, ++session);
            for (int i = 0; i < 50; i++) {
                load.submitTo(i % 4, load.batch(2));
            }

            execute(
                    cluster,
                    Change.newBuilder()
                            .setSetParameters(SetParameters.newBuilder()
                                    .setCheckpointInterval(8)
                                    .setBlockMaxBatches(3))
                            .build());
            awaitEpoch(cluster, 1, 0, 1, 2, 3);
            trade(cluster, 0, 1, 2, 3);
            for (int i = 0; i < 4; i++) {
                cluster.kill(i);
                cluster.startNode(i);
            }
            awaitEpoch(cluster, 1, 0, 1, 2, 3);
            trade(cluster, 0, 1, 2, 3);
            cluster.await("nothing waits", () -> nothingWaits(cluster));
            cluster.assertEqualChains();
            expectEqualArchives(cluster);
            cluster.await("the last block of the quiet chain is certified", () -> {
                NodeStatus status = cluster.node(0).status();
                return status.getStableCheckpoint() == status.getLastDelivered();
            });
            try (ArchiveReader archive =
                    ArchiveReader.open(cluster.nodeDirectory(0).archive())) {
                Parameters present = new MembershipHistory(
                                archive, cluster.genesis().genesis())
                        .atEnd()
                        .membership()
                        .terms()
                        .getParameters();
                assertThat(present.getCheckpointInterval()).isEqualTo(8);
                assertThat(present.getBlockMaxBatches()).isEqualTo(3);
            }
        }
    }

    @Test
    void shouldRaiseTheProtocolVersionAndStopWhereTheBuildEnds() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            trade(cluster, 0, 1, 2, 3);
            assertThat(cluster.node(0).status().getProtocolVersion()).isEqualTo(ProtocolVersion.OLDEST);
            int epoch = 0;
            for (int version = ProtocolVersion.OLDEST + 1; version <= ProtocolVersion.NEWEST; version++) {
                execute(cluster, 3, "--parameter", "protocolVersion:" + version);
                awaitEpoch(cluster, ++epoch, 0, 1, 2, 3);
                assertThat(cluster.node(2).status().getProtocolVersion()).isEqualTo(version);
                trade(cluster, 0, 1, 2, 3);
            }

            int beyond = ProtocolVersion.NEWEST + 1;
            assertThat(tool(
                            "admin",
                            "propose",
                            "--node-dir",
                            directory(cluster, 0),
                            "--out",
                            files.resolve("beyond").toString(),
                            "--parameter",
                            "protocolVersion:" + beyond))
                    .isEqualTo(2);
            assertThat(output).contains("this build follows");
            assertThat(files.resolve("beyond")).doesNotExist();
            // What members with newer builds would approve.
            assertThat(tool(
                            "admin",
                            "submit",
                            "--node-dir",
                            directory(cluster, 0),
                            "--wait-ms",
                            "2000",
                            approvedByNewerBuilds(cluster, epoch + 1, beyond).toString()))
                    .as(() -> output)
                    .isNotZero();
            cluster.awaitFailures(UnknownProtocolVersionException.class, 4);
            for (int node = 0; node < 4; node++) {
                cluster.kill(node);
            }
            assertThat(tool("start", directory(cluster, 1))).isEqualTo(StartCommand.UNKNOWN_PROTOCOL_VERSION);
            assertThat(output.lines()).hasSize(1);
            assertThat(output).contains("protocol version " + beyond, "install a newer build");
        }
    }

    private Path approvedByNewerBuilds(TestCluster cluster, int number, int version) throws IOException {
        TransactionFile file = TransactionFile.create(
                files.resolve("approved-by-newer-builds"),
                AdministrativeTerms.newBuilder()
                        .setChainId(cluster.genesis().genesis().getChainId())
                        .setNumber(number)
                        .addChanges(Change.newBuilder()
                                .setSetParameters(SetParameters.newBuilder().setProtocolVersion(version)))
                        .build());
        for (int node = 0; node < 3; node++) {
            Member member = Member.read(cluster.nodeDirectory(node));
            file = file.replace(ApprovedTerms.approve(file.transaction(), node, member.identity()));
        }
        return file.path();
    }

    @Test
    void shouldAddANodeUnderLoadAndRemoveItAgain() throws Exception {
        try (TestCluster cluster = TestCluster.start();
                TestFollower follower = new TestFollower(files.resolve("follower"), cluster)) {
            trade(cluster, 0, 1, 2, 3);
            TestBroker load = cluster.broker(2, ++session);
            for (int i = 0; i < 50; i++) {
                load.submitTo(i % 4, load.batch(2));
            }
            Path key = newKey("added");
            Node machine = cluster.addMachine(key);
            cluster.startNode(ADDED);
            assertThat(cluster.node(ADDED).status().getNotReadyReason())
                    .isEqualTo("waits for an administrative transaction that names its key");

            String option = String.join(
                    ":",
                    ADDED + "",
                    key + ".pub",
                    machine.getHost(),
                    machine.getVotePort() + "",
                    machine.getPayloadPort() + "",
                    machine.getGatewayPort() + "",
                    machine.getEnginePort() + "");
            execute(cluster, 3, "--add-node", option);
            awaitEpoch(cluster, 1, 0, 1, 2, 3, ADDED);
            trade(cluster, 0, 1, 2, 3, ADDED);
            Path strange = Files.createDirectory(files.resolve("strange"));
            Files.copy(cluster.nodeDirectory(0).genesisFile(), strange.resolve("genesis.json"));
            assertThat(tool("status", "--cluster", strange.toString()))
                    .as(() -> output)
                    .isZero();
            assertThat(output).contains(" of 5 members serve");
            assertThat(tool("doctor", directory(cluster, ADDED)))
                    .as(() -> output)
                    .isZero();
            assertThat(output).contains("OK key: it is that of node 4", "OK node 0: same genesis file");
            assertThat(tool("status", directory(cluster, ADDED)))
                    .as(() -> output)
                    .isZero();
            Facts.await("the follower reads from five nodes", () -> knownNodes(follower) == 5);
            // Four of five are a quorum: it counts.
            cluster.kill(2);
            trade(cluster, 0, 1, 3, ADDED);
            cluster.startNode(2);
            awaitEpoch(cluster, 1, 0, 1, 2, 3, ADDED);
            cluster.assertEqualChains();

            execute(cluster, 4, "--remove-node", ADDED + "");
            ReplacedIdentityException ended = cluster.awaitFailure(ReplacedIdentityException.class);
            assertThat(ended).hasMessageContaining("former key of node 4");
            cluster.kill(ADDED);
            awaitEpoch(cluster, 2, 0, 1, 2, 3);
            assertThat(tool("status", "--cluster", strange.toString()))
                    .as(() -> output)
                    .isZero();
            assertThat(output).contains(" of 4 members serve");
            Facts.await("the follower reads from four nodes", () -> knownNodes(follower) == 4);
            assertThat(tool("start", directory(cluster, ADDED))).isEqualTo(StartCommand.IDENTITY_REPLACED);
            cluster.kill(1);
            trade(cluster, 0, 2, 3);
            cluster.startNode(1);
            trade(cluster, 0, 1, 2, 3);
            cluster.assertEqualChains();
            expectEqualArchives(cluster);
        }
    }

    private static int knownNodes(TestFollower follower) throws Exception {
        return KnownNodesFile.present(follower.directory().knownNodesFile(), 4711, List.of())
                .size();
    }

    private static boolean nothingWaits(TestCluster cluster) {
        for (int i = 0; i < 4; i++) {
            if (cluster.node(i).status().getPendingBatches() > 0) {
                return false;
            }
        }
        return true;
    }

    /** Has each of the live nodes take batches, until all of them are in blocks. */
    private void trade(TestCluster cluster, int... nodes) throws Exception {
        TestBroker broker = cluster.broker(1, ++session);
        int sent = 0;
        for (int node : nodes) {
            cluster.await(
                    "node " + node + " is ready",
                    () -> cluster.node(node).status().getReady());
            for (int i = 0; i < 10; i++) {
                broker.submitTo(node, broker.batch(2));
            }
            long expected = sent += 10;
            cluster.await("answers of node " + node, () -> broker.answers(SubmitStatus.ACCEPTED) == expected);
        }
        for (int node : nodes) {
            long last = cluster.node(nodes[0]).status().getLastDelivered();
            cluster.await(
                    "node " + node + " has block " + last,
                    () -> cluster.node(node).status().getLastDelivered() >= last);
        }
    }

    private static Change replacement(TestCluster cluster, Path key) throws IOException {
        VerificationKey identity = KeyFile.readSigner(key).verificationKey();
        return Change.newBuilder()
                .setReplaceNode(ReplaceNode.newBuilder()
                        .setNode(cluster.genesis().genesis().getNodes(REPLACED).toBuilder()
                                .setIdentity(PublicKey.newBuilder()
                                        .setSchemeValue(identity.scheme().code())
                                        .setPoint(ByteString.copyFrom(identity.point())))))
                .build();
    }

    private void execute(TestCluster cluster, Change change) throws Exception {
        Path changes = Files.writeString(
                files.resolve("changes" + session),
                JsonFormat.printer()
                        .print(AdministrativeTerms.newBuilder()
                                .addChanges(change)
                                .build()));
        String transaction = files.resolve("transaction" + session).toString();
        tool("admin", "propose", "--node-dir", directory(cluster, 1), "--out", transaction, "--changes", changes + "");
        for (int node = 0; node < 3; node++) {
            assertThat(tool("admin", "approve", "--node-dir", directory(cluster, node), transaction))
                    .as(() -> output)
                    .isZero();
        }
        assertThat(tool("admin", "submit", "--node-dir", directory(cluster, 1), transaction))
                .as(() -> output)
                .isZero();
    }

    /** Has the first nodes approve what the options say, and one of them submit it. */
    private void execute(TestCluster cluster, int approvals, String... options) throws Exception {
        String transaction = files.resolve("transaction" + ++session).toString();
        List<String> propose =
                new ArrayList<>(List.of("admin", "propose", "--node-dir", directory(cluster, 1), "--out", transaction));
        propose.addAll(List.of(options));
        assertThat(tool(propose.toArray(String[]::new))).as(() -> output).isZero();
        for (int node = 0; node < approvals; node++) {
            assertThat(tool("admin", "approve", "--node-dir", directory(cluster, node), transaction))
                    .as(() -> output)
                    .isZero();
        }
        assertThat(tool("admin", "submit", "--node-dir", directory(cluster, 1), transaction))
                .as(() -> output)
                .isZero();
    }

    private Path newKey(String name) {
        assertThat(tool("keys", "new", "--plain", files.resolve(name).toString()))
                .as(() -> output)
                .isZero();
        return files.resolve(name);
    }

    private static void awaitEpoch(TestCluster cluster, int epoch, int... nodes) throws Exception {
        for (int node : nodes) {
            cluster.await("node " + node + " in epoch " + epoch, () -> {
                NodeStatus status = cluster.node(node).status();
                return status.getEpoch() == epoch && status.getConnectedPeersCount() >= nodes.length - 1;
            });
        }
    }

    /** Returns how many handshakes for votes a node has refused because of the other's key. */
    static long refusals(ConsensusNode node) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI metrics = URI.create("http://127.0.0.1:" + node.adminPort() + "/metrics");
            String page = http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                    .body();
            return page.lines()
                    .filter(line -> line.startsWith("sealbook_peer_refused_total{")
                            && line.contains("handshake_bad_signature")
                            && line.contains("role=\"vote\""))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                    .sum();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Blocks are equal byte by byte, as far as all have them while they run, and each node has a certificate. */
    private static void expectEqualArchives(TestCluster cluster) throws Exception {
        List<byte[]> expected = new ArrayList<>();
        for (int node = 0; node < 4; node++) {
            try (ArchiveReader archive =
                    ArchiveReader.open(cluster.nodeDirectory(node).archive())) {
                for (int sequence = 1; sequence <= archive.lastSequence(); sequence++) {
                    byte[] block = archive.read(sequence).orElseThrow();
                    if (sequence > expected.size()) {
                        expected.add(block);
                    } else {
                        assertThat(block).isEqualTo(expected.get(sequence - 1));
                    }
                }
                assertThat(archive.latestCertificate().map(CheckpointCertificate::sequence))
                        .isPresent();
            }
        }
    }

    private static String directory(TestCluster cluster, int node) {
        return cluster.nodeDirectory(node).root().toString();
    }

    private int tool(String... arguments) {
        StringWriter lines = new StringWriter();
        PrintWriter out = new PrintWriter(lines, true);
        int exitCode = NodeTool.commandLine().setOut(out).setErr(out).execute(arguments);
        output = lines.toString();
        return exitCode;
    }
}
