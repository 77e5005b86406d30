package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SessionState;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker signs two batches under one number, and gives half of the nodes the one and half of them the other. */
@Timeout(300)
class EquivocationTest {
    private static final int NODES = 4;
    private static final int CHEATER = 1;
    private static final int SESSION = 900;
    private static final int OTHER_SESSION = 901;

    @TempDir
    private Path scratch;

    @Test
    void shouldSuspendTheSessionKeepTheProofAndDisturbNobodyElse() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker cheater = cluster.broker(CHEATER);
            byte[] one = cheater.batch(fields -> fields.position = BatchPosition.first(SESSION));
            byte[] other = cheater.batch(fields -> fields.position = BatchPosition.first(SESSION));
            for (int node = 0; node < NODES; node++) {
                cheater.submitTo(node, node < NODES / 2 ? one : other);
            }
            cluster.await(
                    "every node suspends the session",
                    () -> Stream.of(0, 1, 2, 3).allMatch(node -> isSuspended(cluster, node, SESSION)));

            SubmitReply refusal = cheater.answerTo(0, cheater.batch(fields -> fields.session = SESSION));
            assertThat(refusal.getReason()).isEqualTo(RefusalReason.SESSION_SUSPENDED);
            assertThat(refusal.getDetail()).contains("session " + SESSION + " of broker " + CHEATER);
            for (int node = 0; node < NODES; node++) {
                assertThat(isSuspended(cluster, node, OTHER_SESSION)).isFalse();
                Path file = evidenceOf(cluster, node);
                assertThat(verify(cluster, file))
                        .as("evidence of node %d", node)
                        .isZero();
                assertThat(List.of(EvidenceStore.decode(Files.readAllBytes(file))))
                        .allMatch(kept -> isOneOf(kept.first(), one, other) && isOneOf(kept.second(), one, other));
            }
            assertOthersWork(cluster, cheater);
            cluster.awaitEqualHeight();
            cluster.assertEqualChains();

            cluster.kill(2);
            cluster.startNode(2);
            cluster.awaitConnected();
            assertThat(isSuspended(cluster, 2, SESSION)).as("after a restart").isTrue();
        }
    }

    /** The node with the batch that nobody else has must not replace primary after primary because of it. */
    @Test
    void shouldNotWaitForABatchThatOneNodeAloneHolds() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker cheater = cluster.broker(CHEATER);
            byte[] one = cheater.batch(fields -> fields.position = BatchPosition.first(SESSION));
            byte[] other = cheater.batch(fields -> fields.position = BatchPosition.first(SESSION));
            cheater.submitTo(3, other);
            for (int node = 0; node < 3; node++) {
                cheater.submitTo(node, one);
            }
            cluster.await(
                    "every node suspends the session",
                    () -> Stream.of(0, 1, 2, 3).allMatch(node -> isSuspended(cluster, node, SESSION)));
            cluster.await(
                    "no node waits for a batch",
                    () -> Stream.of(0, 1, 2, 3)
                            .allMatch(node -> cluster.node(node).status().getPendingBatches() == 0));

            cluster.kill(cluster.primary() == 0 ? 1 : 0);
            assertOthersWork(cluster, cheater);
        }
    }

    /** The broker is silent until the last member has started without its file. */
    @Test
    void shouldAdmitTheSessionAgainWhenNoMemberHasTheFileAnyMore() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker cheater = cluster.broker(CHEATER);
            byte[] one = cheater.batch(fields -> fields.position = BatchPosition.first(SESSION));
            byte[] other = cheater.batch(fields -> fields.position = BatchPosition.first(SESSION));
            for (int node = 0; node < NODES; node++) {
                cheater.submitTo(node, node < NODES / 2 ? one : other);
            }
            cluster.await(
                    "every node suspends the session",
                    () -> Stream.of(0, 1, 2, 3).allMatch(node -> isSuspended(cluster, node, SESSION)));

            assertTaken(cluster, cheater, cheater.batch(fields -> fields.session = OTHER_SESSION));
            cluster.awaitEqualHeight();

            for (int node = 0; node < NODES; node++) {
                cluster.kill(node);
                Files.move(evidenceOf(cluster, node), scratch.resolve("evidence-" + node));
                cluster.startNode(node);
                cluster.awaitConnected();
            }
            assertTaken(cluster, cheater, cheater.batch(fields -> fields.session = OTHER_SESSION));
            for (int node = 0; node < NODES; node++) {
                assertThat(isSuspended(cluster, node, SESSION))
                        .as("node %d", node)
                        .isFalse();
            }

            SessionState session = session(cluster, 3, SESSION).orElse(SessionState.getDefaultInstance());
            BatchPosition next = session.getDeliveredNumber() == 0
                    ? BatchPosition.first(SESSION)
                    : new BatchPosition(
                            SESSION,
                            session.getExpectedNumber(),
                            Digest.of(session.getPrevious().toByteArray()));
            assertTaken(cluster, cheater, cheater.batch(fields -> fields.position = next));
            assertTaken(cluster, cheater, cheater.batch(fields -> fields.session = OTHER_SESSION));
            cluster.awaitEqualHeight();
            for (int node = 0; node < NODES; node++) {
                assertThat(isSuspended(cluster, node, SESSION))
                        .as("node %d", node)
                        .isFalse();
            }
        }
    }

    @Test
    void shouldFindThatForgedEvidenceProvesNothing() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = cluster.broker(CHEATER);
            byte[] one = broker.batch(fields -> fields.position = BatchPosition.first(SESSION));
            byte[] forged = broker.batch(fields -> fields.position = BatchPosition.first(SESSION));
            forged[forged.length - 2] ^= 1;
            try (EvidenceStore store = EvidenceStore.open(FileStorage.open(scratch))) {
                store.add(Equivocation.of(one, forged).orElseThrow());
            }

            assertThat(verify(cluster, scratch.resolve(EvidenceStore.PREFIX + CHEATER + "-" + SESSION)))
                    .isEqualTo(1);
            Path garbage = scratch.resolve("garbage");
            Files.write(garbage, forged);
            assertThat(verify(cluster, garbage)).isEqualTo(1);
        }
    }

    private static void assertOthersWork(TestCluster cluster, TestBroker cheater) throws Exception {
        long before = cluster.node(3).status().getCommittedBatches();
        byte[] inOtherSession = cheater.batch(fields -> fields.session = OTHER_SESSION);
        assertThat(cheater.answerTo(3, inOtherSession).getStatus()).isEqualTo(SubmitStatus.ACCEPTED);
        TestBroker honest = cluster.broker(2);
        assertThat(honest.answerTo(2, honest.batch(fields -> fields.session = SESSION))
                        .getStatus())
                .isEqualTo(SubmitStatus.ACCEPTED);
        cluster.await("both are in blocks", () -> cluster.node(3).status().getCommittedBatches() >= before + 2);
    }

    private static void assertTaken(TestCluster cluster, TestBroker broker, byte[] batch) throws Exception {
        long before = cluster.node(3).status().getCommittedBatches();
        assertThat(broker.answerTo(3, batch).getStatus()).isEqualTo(SubmitStatus.ACCEPTED);
        cluster.await("it is in a block", () -> cluster.node(3).status().getCommittedBatches() > before);
    }

    private static boolean isOneOf(byte[] batch, byte[] one, byte[] other) {
        return java.util.Arrays.equals(batch, one) || java.util.Arrays.equals(batch, other);
    }

    private static boolean isSuspended(TestCluster cluster, int node, int session) {
        return session(cluster, node, session)
                .filter(SessionState::getSuspended)
                .isPresent();
    }

    private static Optional<SessionState> session(TestCluster cluster, int node, int session) {
        return cluster
                .gateway(node)
                .logon(LogonRequest.newBuilder().setBrokerId(CHEATER).build())
                .getSessionsList()
                .stream()
                .filter(state -> state.getSession() == session)
                .findAny();
    }

    private static Path evidenceOf(TestCluster cluster, int node) {
        return cluster.nodeDirectory(node).evidence().resolve(EvidenceStore.PREFIX + CHEATER + "-" + SESSION);
    }

    /** Returns the exit code of the command that an operator or a court runs. */
    private int verify(TestCluster cluster, Path file) throws IOException {
        Path copy = scratch.resolve("copy");
        Files.write(copy, Files.readAllBytes(file));
        StringWriter out = new StringWriter();
        return NodeTool.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(
                        "evidence",
                        copy.toString(),
                        "--genesis",
                        cluster.nodeDirectory(0).genesisFile().toString());
    }
}
