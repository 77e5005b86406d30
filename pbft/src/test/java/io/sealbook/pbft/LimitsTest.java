package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.Status;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pitfall 20: how much one message holds and how much one table remembers. */
class LimitsTest {
    private final TestCluster cluster = new TestCluster(4, builder -> builder.block(500, 0));

    @Test
    void shouldAcknowledgeNoMoreThan256SessionsInOneMessage() {
        TestCluster.Node node = cluster.node(2);
        for (int i = 0; i < 600; i++) {
            node.replica.step(new Input.BatchAvailable(TestCluster.batch(i), Digest.ZERO), node.outputs);
        }
        node.replica.step(new Input.Clock(cluster.nowNs), node.outputs);

        assertThat(node.outputs.stream()
                        .filter(Output.Send.class::isInstance)
                        .map(output -> ((BatchAck) ((Output.Send) output).message()).ends())
                        .map(List::size))
                .containsExactly(256, 256, 88);
    }

    @Test
    void shouldAcknowledgeAllOverdueSessionsInMessagesOf256() {
        cluster.crash(0);
        IntStream.range(0, 600).forEach(i -> cluster.submit(node -> node == 2));
        cluster.node(2).said.clear();

        for (int period = 0; period < 2; period++) {
            cluster.fire(2, Timer.STATUS);
        }

        assertThat(cluster.node(2).said(Output.Broadcast.class).stream()
                        .map(Output.Broadcast::message)
                        .filter(BatchAck.class::isInstance)
                        .map(message -> ((BatchAck) message).ends()))
                .containsExactly(overdue(0, 256), overdue(256, 512), overdue(512, 600));
    }

    private static List<SessionEnd> overdue(int first, int end) {
        return IntStream.range(first, end).mapToObj(TestCluster::batch).toList();
    }

    private static StableCertificate certificate(long sequence) {
        Outcome outcome = new Outcome(TestCluster.batchId((int) sequence), Digest.ZERO);
        return new StableCertificate(
                sequence,
                outcome.chainHash(),
                outcome.resultDigest(),
                TestCluster.batchId(-(int) sequence),
                IntStream.range(0, 3)
                        .mapToObj(replica ->
                                new io.sealbook.pbft.message.ReplicaSignature(replica, Signature.of(new byte[] {1})))
                        .toList());
    }

    /** An engine that lags is compared with the last 64 certificates; what it reaches below them is not compared. */
    @Test
    void shouldCompareALaggingEngineWithTheLast64Certificates() {
        Replica replica = new Replica(cluster.node(1).config, TestCluster.signerOf(1));
        List<Output> outputs = new java.util.ArrayList<>();
        replica.restore(List.of(), 400, sequence -> Digest.ZERO, List.of());
        replica.start(outputs);
        for (long sequence = 4; sequence <= 280; sequence += 4) {
            replica.step(new Input.Received(new CheckpointProof(certificate(sequence), 2)), outputs);
        }

        Digest wrong = TestCluster.batchId(9_999);
        replica.step(new Input.Executed(24, wrong, wrong), outputs);
        assertThat(replica.state()).as("70 certificates came, 24 is the sixth").isEqualTo(ReplicaState.NORMAL);

        replica.step(new Input.Executed(28, wrong, wrong), outputs);
        assertThat(replica.state()).as("the oldest that is kept").isEqualTo(ReplicaState.ISOLATED);
        assertThat(replica.isolatedAt()).isEqualTo(28);
    }

    /** A proposal of 16 MiB is one entry of a table that counts entries. */
    @Test
    void shouldKeepNoProposalOfALaterViewThatNoCorrectPrimarySends() {
        int before = cluster.replica(1).entryCount();
        cluster.receive(1, later(3, 3, 501));
        cluster.receive(1, later(3, 2, 500));
        assertThat(cluster.replica(1).entryCount() - before).as("their witness").isEqualTo(1);
        assertThat(cluster.node(1).ignored()).containsExactly(IgnoreReason.MALFORMED, IgnoreReason.WRONG_ROLE);

        cluster.receive(1, later(3, 3, 500));
        assertThat(cluster.replica(1).entryCount() - before)
                .as("kept and learned")
                .isEqualTo(3);
    }

    private static PrePrepare later(long view, int sender, int sessions) {
        List<SessionEnd> ends =
                IntStream.range(0, sessions).mapToObj(TestCluster::batch).toList();
        Proposal proposal = new Proposal(view, 1, 1, Digest.ZERO, ends);
        byte[] signed = PrePrepare.signedBytes(TestCluster.EPOCH, view, 1, proposal.digest(), sender);
        Signature signature = Signature.of(TestCluster.signerOf(sender).sign(signed));
        return new PrePrepare(view, 1, proposal, sender, signature);
    }

    /** An answer has up to a hundred messages, and a STATUS costs its sender nothing. */
    @Test
    void shouldAnswerAFewStatusInEachPeriod() {
        TestCluster cluster = new TestCluster(4);
        cluster.deliver(1);
        TestCluster.Node node = cluster.node(1);
        for (int period = 0; period < 3; period++) {
            cluster.fire(1, Timer.STATUS);
            node.said.clear();
            for (int i = 0; i < 100; i++) {
                cluster.receive(1, new Status(0, true, 0, 0, 3));
                cluster.receive(1, new Status(0, true, 0, 0, 2));
            }
            for (int replica = 2; replica <= 3; replica++) {
                int to = replica;
                assertThat(node.said(Output.Send.class).stream()
                                .filter(sent -> sent.to() == to)
                                .filter(sent -> sent.message() instanceof Prepare))
                        .hasSize(Retransmission.ANSWERS_PER_PERIOD);
            }
        }
    }

    /** The simulator bounds this number in each run, so every table must be in it. */
    @Test
    void shouldCountTheEntriesOfEveryTable() {
        Replica replica = cluster.replica(1);
        int empty = replica.entryCount();

        cluster.receive(1, new Checkpoint(4, Digest.ZERO, Digest.ZERO, Digest.ZERO, 2, Signature.of(new byte[0])));
        assertThat(replica.entryCount())
                .as("a checkpoint with votes, and its witness")
                .isEqualTo(empty + 2);

        cluster.receive(1, new Prepare(3, 1, Digest.ZERO, 2, Signature.of(new byte[0])));
        assertThat(replica.entryCount())
                .as("a vote for a later view, and its witness")
                .isEqualTo(empty + 4);

        cluster.available(1, TestCluster.batch(1));
        assertThat(replica.entryCount()).as("a batch and its session").isEqualTo(empty + 6);

        cluster.receive(1, new BatchAck(List.of(TestCluster.batch(2)), 3));
        assertThat(replica.entryCount())
                .as("a session that only another replica has, and whose")
                .isEqualTo(empty + 8);

        cluster.receive(1, new Commit(0, 1, Digest.ZERO, 3));
        assertThat(replica.entryCount()).as("a slot").isEqualTo(empty + 9);
    }
}
