package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
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
