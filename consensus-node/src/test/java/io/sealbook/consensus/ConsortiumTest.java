package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.JsonFormat;
import io.sealbook.consensus.administration.PublicKeyFile;
import io.sealbook.consensus.administration.TransactionFile;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.crypto.KeyFile;
import io.sealbook.facts.Facts;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.membership.ChangeText;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.v1.GetMembershipRequest;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four members whose operators change the consortium with the tool while brokers trade. */
@Timeout(300)
class ConsortiumTest {
    private static final int REFUSED = 1;
    private static final int WRONG_USE = 2;

    @TempDir
    private Path files;

    private String output;
    private int made;

    @Test
    void shouldRotateAKeyAndHaltAnInstrument() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker old = cluster.broker(1);
            assertThat(old.refusalOf(old.batch(1))).isNull();
            newKey("key2");
            TestBroker fresh = cluster.brokerWith(1, 1, Path.of(file("key2")));
            assertThat(fresh.refusalOf(fresh.batch(fields -> fields.keyId = 2))).isEqualTo(RefusalReason.UNKNOWN_KEY);

            execute(cluster, "--add-key", "1:2:" + file("key2.pub"), "--reason", "rotation");
            TestBroker second = cluster.brokerWith(1, 2, Path.of(file("key2")));
            assertThat(second.refusalOf(second.batch(fields -> fields.keyId = 2)))
                    .isNull();
            assertThat(old.refusalOf(old.batch(1))).as("the keys overlap").isNull();
            cluster.awaitCommitted(4);

            execute(cluster, "--revoke-key", "1:1");
            assertThat(old.answerTo(old.batch(1)).getDetail()).startsWith("key 1 of broker 1 was revoked at block ");
            assertThat(second.refusalOf(second.batch(fields -> fields.keyId = 2)))
                    .isNull();

            execute(cluster, "--halt", "1");
            TestBroker third = cluster.brokerWith(1, 3, Path.of(file("key2")));
            assertThat(third.refusalOf(third.batch(fields -> fields.keyId = 2)))
                    .as("the engine refuses orders of a halted instrument")
                    .isNull();
            execute(cluster, "--resume", "1");
            TestBroker fourth = cluster.brokerWith(1, 4, Path.of(file("key2")));
            assertThat(fourth.refusalOf(fourth.batch(fields -> fields.keyId = 2)))
                    .isNull();

            assertThat(admin("show", "--cluster", directory(cluster, 0))).isZero();
            assertThat(output)
                    .contains("node 0: 4 transactions", "node 3: 4 transactions", "key 1 ", "key 2 ")
                    .contains(": executed (rotation)");
            expectEqualMemberships(cluster);
            cluster.assertEqualChains();
        }
    }

    @Test
    void shouldCatchUpWithANewBrokerAndAfterARestart() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            cluster.kill(3);
            newKey("key");
            execute(
                    cluster,
                    "--add-broker",
                    "77:Seventy:" + file("key.pub") + ":77:1000",
                    "--quota",
                    "1:1000",
                    "--quota",
                    "2:1000",
                    "--add-instrument",
                    "2:NEW:2:1:200000:1000000");
            TestBroker added = cluster.brokerWith(77, 0, Path.of(file("key")));
            for (int i = 0; i < 40; i++) {
                assertThat(added.refusalOf(added.batch(fields -> fields.instrumentId = 2)))
                        .isNull();
            }

            cluster.startNode(3);
            cluster.assertEqualChains();
            TestBroker again = cluster.brokerWith(77, 1, Path.of(file("key")));
            assertThat(again.answerTo(3, again.batch(fields -> fields.instrumentId = 2))
                            .getReason())
                    .as("the node that was away knows the broker")
                    .isEqualTo(RefusalReason.REFUSAL_REASON_UNSPECIFIED);
            execute(cluster, "--remove-broker", "77");
            for (int i = 0; i < 4; i++) {
                cluster.kill(i);
                cluster.startNode(i);
            }
            cluster.awaitConnected();
            expectEqualMemberships(cluster);
            assertThat(membership(cluster, 2).getNumber()).isEqualTo(2);
            TestBroker removed = cluster.brokerWith(77, 2, Path.of(file("key")));
            assertThat(removed.refusalOf(removed.batch(fields -> fields.instrumentId = 2)))
                    .isEqualTo(RefusalReason.REMOVED_BROKER);
            cluster.assertEqualChains();
        }
    }

    /** Every node knows what all of them have taken, and nobody else is refused anything. */
    @Test
    void shouldRefuseABrokerBeyondItsRateAtEveryNodeWithoutAGapOrAnEnd() throws Exception {
        try (TestCluster cluster =
                TestCluster.start(parameters -> parameters.setProtocolVersion(ProtocolVersion.RATES))) {
            TestBroker greedy = cluster.broker(1);
            TestBroker polite = cluster.broker(2);
            execute(cluster, "--rates", "1:1:0");
            assertThat(greedy.answerTo(0, greedy.batch(250)).getStatus())
                    .as("more than a second's worth, when nothing was used")
                    .isEqualTo(SubmitStatus.ACCEPTED);
            cluster.awaitCommitted(2);

            byte[] refused = greedy.batch(fields -> fields.session = 1_000);
            byte[] next = greedy.batch(fields -> fields.session = 1_000);
            for (int node = 0; node < 4; node++) {
                SubmitReply reply = greedy.answerTo(node, refused);
                assertThat(reply.getReason()).isEqualTo(RefusalReason.RATE_QUOTA);
                assertThat(reply.getDetail()).isEqualTo("broker 1 sends faster than 1 orders per second");
                assertThat(reply.getRetryAfterMs()).isEqualTo(60_000);
                assertThat(cluster.node(node).metrics().refusals(RefusalReason.RATE_QUOTA))
                        .isEqualTo(1);
                assertThat(polite.answerTo(node, polite.batch(250)).getStatus()).isEqualTo(SubmitStatus.ACCEPTED);
            }
            assertThat(greedy.refusalOf(greedy.batch(fields -> fields.action = Action.CANCEL.value())))
                    .as("a cancel passes")
                    .isNull();

            execute(cluster, "--rates", "1:0:0");
            assertThat(greedy.answerTo(0, refused).getStatus()).isEqualTo(SubmitStatus.ACCEPTED);
            assertThat(greedy.answerTo(0, next).getStatus()).isEqualTo(SubmitStatus.ACCEPTED);
            cluster.awaitCommitted(10);
            cluster.assertEqualChains();
        }
    }

    @Test
    void shouldSayWhyATransactionChangesNothing() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            String transaction = propose(cluster, "--revoke-key", "1:9");
            assertThat(admin("submit", "--node-dir", directory(cluster, 1), transaction))
                    .isEqualTo(REFUSED);
            assertThat(output).contains("not ready: approved by nodes [], expected 3");
            approve(cluster, transaction, 0, 1);
            assertThat(output).contains("approved by nodes [0, 1], 1 more must approve");
            assertThat(admin("show-transaction", "--genesis", genesis(cluster), transaction))
                    .isEqualTo(REFUSED);
            approve(cluster, transaction, 3);
            assertThat(admin("show-transaction", "--genesis", genesis(cluster), transaction))
                    .isZero();

            assertThat(admin("submit", "--node-dir", directory(cluster, 1), transaction))
                    .isEqualTo(REFUSED);
            assertThat(output).contains("refused in block ", "change 1: ", "no key 9");
            assertThat(admin("show", "--log", "--cluster", directory(cluster, 2)))
                    .isZero();
            assertThat(output).contains("transaction 1 of node 1 in block ", ": refused, change 1: ");

            execute(cluster, "--suspend-broker", "2");
            assertThat(admin("submit", "--node-dir", directory(cluster, 1), transaction))
                    .isEqualTo(REFUSED);
            assertThat(output).contains("transaction 1, expected 2");
            expectEqualMemberships(cluster);
        }
    }

    /** Approvals of an executed transaction pass the doors again: it is a member that repeats it by itself. */
    @Test
    void shouldLetAMemberWaitWhoseTransactionsChangeNothing() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            String transaction = propose(cluster, "--halt", "1");
            approve(cluster, transaction, 0, 1, 2);
            byte[] approved =
                    TransactionFile.read(Path.of(transaction)).transaction().toByteArray();
            TestMember greedy = new TestMember(cluster, 1);
            SubmitReply refused = greedy.repeat(approved);

            assertThat(refused.getReason()).isEqualTo(RefusalReason.RATE_QUOTA);
            assertThat(refused.getDetail())
                    .isEqualTo("too many transactions of node 1 have changed nothing;"
                            + " the next one is taken after block 1024");
            assertThat(greedy.taken()).as("the first is executed").isEqualTo(1 + 11 * 64);

            String later = propose(cluster, "--resume", "1");
            approve(cluster, later, 0, 1, 2);
            assertThat(admin("submit", "--node-dir", directory(cluster, 1), later))
                    .isEqualTo(REFUSED);
            assertThat(output).contains("RATE_QUOTA: too many transactions of node 1");
            assertThat(admin("submit", "--node-dir", directory(cluster, 0), later))
                    .as(() -> output)
                    .isZero();
            cluster.kill(1);
            cluster.startNode(1);
            cluster.awaitConnected();
            assertThat(greedy.repeat(approved).getReason()).isEqualTo(RefusalReason.RATE_QUOTA);
            assertThat(greedy.taken()).as("after a restart").isEqualTo(1 + 11 * 64);
        }
    }

    @Test
    void shouldNameWhatIsWrongWithACommandLine() throws Exception {
        TestGenesis.write(files.resolve("net"), 7100);
        String genesis = files.resolve("net/genesis.json").toString();
        assertThat(admin("propose", "--genesis", genesis, "--number", "1", "--out", file("t.json")))
                .isEqualTo(WRONG_USE);
        assertThat(output).contains("a transaction needs a change");
        assertThat(admin("propose", "--genesis", genesis, "--out", file("t.json"), "--halt", "1"))
                .isEqualTo(WRONG_USE);
        assertThat(output).contains("needs --number");
        assertThat(admin("propose", "--genesis", genesis, "--number", "1", "--out", file("t.json"), "--halt", "x"))
                .isEqualTo(WRONG_USE);
        assertThat(output).contains("'x' is no number");
        assertThat(admin("propose", "--genesis", genesis, "--number", "1", "--out", file("t.json"), "--halt", "1"))
                .isZero();
        assertThat(output).contains("transaction 1 of chain 4711", "instrument 1 halted");
        assertThat(admin("propose", "--genesis", genesis, "--number", "1", "--out", file("t.json"), "--halt", "1"))
                .isEqualTo(WRONG_USE);
        assertThat(output).contains("the file exists");
        assertThat(admin("show")).isEqualTo(WRONG_USE);
        assertThat(admin("--help")).isZero();
        assertThat(output).contains("propose", "approve", "submit");
    }

    /** As an editor saves it in UTF-16, or a binary file under the wrong name. */
    @Test
    void shouldNameAFileThatIsNoText() throws Exception {
        TestGenesis.write(files.resolve("net"), 7100);
        String genesis = files.resolve("net/genesis.json").toString();
        String binary = file("binary");
        Files.write(Path.of(binary), new byte[] {(byte) 0xFF, (byte) 0xFE, '{', 0});
        String[] propose = {"propose", "--genesis", genesis, "--number", "1", "--out", file("t.json")};

        assertThat(admin(with(propose, "--changes", binary))).isEqualTo(WRONG_USE);
        assertThat(output).contains(binary + ": no list of changes");
        assertThat(admin(with(propose, "--add-key", "1:2:" + binary))).isEqualTo(WRONG_USE);
        assertThat(output).contains(binary + ": it is no text in UTF-8");
        assertThat(Path.of(file("t.json"))).doesNotExist();
    }

    private static String[] with(String[] command, String... options) {
        return Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new);
    }

    @Test
    void shouldLeaveTheFileAsItIsIfTheKeyIsAnother() throws Exception {
        try (PortBlock ports = PortBlock.take(TestCluster.PORTS)) {
            TestGenesis.write(files.resolve("net"), ports.base());
            Path node0 = files.resolve("net/node0");
            Path key = node0.resolve("node.key");
            Path transaction = Path.of(file("halt.json"));
            assertThat(admin(
                            "propose",
                            "--genesis",
                            node0.resolve("genesis.json").toString(),
                            "--number",
                            "1",
                            "--out",
                            transaction.toString(),
                            "--halt",
                            "1"))
                    .isZero();
            byte[] before = Files.readAllBytes(transaction);
            byte[] own = Files.readAllBytes(key);

            Files.write(key, Files.readAllBytes(files.resolve("net/node1/node.key")));
            assertThat(admin("approve", "--node-dir", node0.toString(), transaction.toString()))
                    .isNotZero();
            assertThat(output).contains("node.key is not the key of node 0 in the genesis file");
            assertThat(transaction).hasBinaryContent(before);

            TransactionFile spoilt = TransactionFile.read(transaction);
            spoilt.replace(ApprovedTerms.approve(spoilt.transaction(), 0, KeyFile.readSigner(key)));
            Files.write(key, own);
            assertThat(admin("approve", "--node-dir", node0.toString(), transaction.toString()))
                    .as(() -> output)
                    .isZero();
            assertThat(output).contains("approved by nodes [0], 2 more must approve");
        }
    }

    @Test
    void shouldWriteChangesThatEndAnEpoch() throws Exception {
        TestGenesis.write(files.resolve("net"), 7100);
        String genesis = files.resolve("net/genesis.json").toString();
        newKey("node2");
        String key = ChangeText.key(PublicKeyFile.read(Path.of(file("node2.pub"))));
        String present = host(genesis, 2);

        assertThat(offline(genesis, "--replace-node", "2:" + file("node2.pub"))).isZero();
        assertThat(output).contains("node 2 replaced").contains(": " + key + ", host " + present + " with ports ");
        assertThat(offline(genesis, "--replace-node", "2:" + file("node2.pub") + ":10.0.0.9"))
                .isZero();
        assertThat(output).contains(": " + key + ", host 10.0.0.9 with ports ");
        assertThat(offline(genesis, "--replace-node", "2:" + file("node2.pub") + ":[2001:db8::9]:1:2:3:4"))
                .isZero();
        assertThat(output).contains(": " + key + ", host 2001:db8::9 with ports 1 for votes");
        assertThat(offline(genesis, "--add-node", "4:" + file("node2.pub") + ":[::1]:1:2:3:4:Fifth"))
                .isZero();
        assertThat(output).contains("host ::1 with ports 1 for votes");
        assertThat(offline(genesis, "--replace-node", "2:" + file("node2.pub") + "::1:2::4:Second"))
                .isZero();
        assertThat(output)
                .contains("node 2 replaced by \"Second\": " + key + ", host " + present
                        + " with ports 1 for votes, 2 for payloads, ")
                .contains(" of the gateway, 4 of the engine");
        assertThat(offline(genesis, "--parameter", "checkpointInterval:32", "--parameter", "requestTimeoutMs:3000"))
                .isZero();
        assertThat(output).contains("parameters set: checkpointInterval 32, requestTimeoutMs 3000");

        assertThat(offline(genesis, "--replace-node", "4:" + file("node2.pub"))).isEqualTo(WRONG_USE);
        assertThat(output).contains("there are 4 nodes, from 0 on");
        assertThat(offline(genesis, "--replace-node", "2:" + file("node2.pub") + ":host:1"))
                .isEqualTo(WRONG_USE);
        assertThat(output).contains("4 parts between colons, expected 2, 3, 7 or 8");
        assertThat(offline(genesis, "--replace-node", "2:" + file("node2.pub") + ":h:1:2:3:70000"))
                .isEqualTo(WRONG_USE);
        assertThat(output).contains("'70000' is no port");
        assertThat(offline(genesis, "--replace-node", "2:" + file("node2.pub") + ":node_2"))
                .isEqualTo(WRONG_USE);
        assertThat(output).contains("host 'node_2' is no name or IP address");
        assertThat(offline(genesis, "--add-node", "4:" + file("node2.pub") + ":<:1:2:3:4"))
                .isEqualTo(WRONG_USE);
        assertThat(output).contains("host '<' is no name or IP address");
        assertThat(offline(genesis, "--parameter", "logWindow:256")).isEqualTo(WRONG_USE);
        assertThat(output).contains("no parameter of agreement, which are blockMaxBatches, ");
        assertThat(offline(genesis, "--parameter", "checkpointInterval:0")).isEqualTo(WRONG_USE);
        assertThat(output).contains("the value is at least 1");
    }

    private int offline(String genesis, String... changes) {
        List<String> arguments =
                new ArrayList<>(List.of("propose", "--genesis", genesis, "--number", "1", "--out", file("o" + made++)));
        arguments.addAll(List.of(changes));
        return admin(arguments.toArray(String[]::new));
    }

    private static String host(String genesis, int node) throws Exception {
        return GenesisFile.parse(Files.readAllBytes(Path.of(genesis)))
                .genesis()
                .getNodes(node)
                .getHost();
    }

    private void execute(TestCluster cluster, String... changes) throws Exception {
        String transaction = propose(cluster, changes);
        approve(cluster, transaction, 0, 1, 2);
        assertThat(admin("submit", "--node-dir", directory(cluster, 1), transaction))
                .as(() -> output)
                .isZero();
        assertThat(output).contains("executed: transaction ");
        cluster.await("all execute it", () -> {
            long number = membership(cluster, 1).getNumber();
            for (int i = 0; i < 4; i++) {
                if (cluster.node(i) != null && cluster.node(i).status().getMembershipNumber() < number) {
                    return false;
                }
            }
            return true;
        });
    }

    private String propose(TestCluster cluster, String... changes) {
        String transaction = file("transaction" + made++ + ".json");
        List<String> arguments =
                new ArrayList<>(List.of("propose", "--node-dir", directory(cluster, 1), "--out", transaction));
        arguments.addAll(List.of(changes));
        assertThat(admin(arguments.toArray(String[]::new))).as(() -> output).isZero();
        return transaction;
    }

    private void approve(TestCluster cluster, String transaction, int... nodes) {
        for (int node : nodes) {
            assertThat(admin("approve", "--node-dir", directory(cluster, node), transaction))
                    .as(() -> output)
                    .isZero();
        }
    }

    private static void expectEqualMemberships(TestCluster cluster) throws Exception {
        for (int i = 1; i < 4; i++) {
            int node = i;
            Facts.await(
                    () -> print(membership(cluster, 0)) + " and " + print(membership(cluster, node)),
                    () -> membership(cluster, node).toBuilder()
                            .setNodeId(0)
                            .build()
                            .equals(membership(cluster, 0)));
        }
    }

    private static String print(MembershipView view) {
        try {
            return JsonFormat.printer().print(view);
        } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private static MembershipView membership(TestCluster cluster, int node) {
        return cluster.gateway(node).getMembership(GetMembershipRequest.getDefaultInstance());
    }

    private static String directory(TestCluster cluster, int node) {
        return cluster.nodeDirectory(node).root().toString();
    }

    private static String genesis(TestCluster cluster) {
        return cluster.nodeDirectory(0).genesisFile().toString();
    }

    private String file(String name) {
        return files.resolve(name).toString();
    }

    private void newKey(String name) {
        assertThat(tool(List.of("keys", "new", "--plain", file(name))))
                .as(() -> output)
                .isZero();
    }

    private int admin(String... arguments) {
        List<String> all = new ArrayList<>(List.of("admin"));
        all.addAll(List.of(arguments));
        return tool(all);
    }

    private int tool(List<String> arguments) {
        StringWriter lines = new StringWriter();
        PrintWriter out = new PrintWriter(lines, true);
        int exitCode = NodeTool.commandLine().setOut(out).setErr(out).execute(arguments.toArray(String[]::new));
        output = lines.toString();
        return exitCode;
    }
}
