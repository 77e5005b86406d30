package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A block with administrative transactions may end the epoch: whatever was ordered after it belongs to the next. */
class EpochTest {
    private final TestCluster cluster = new TestCluster(4);

    private void executed(long sequence, boolean endsEpoch) {
        for (int i = 0; i < 4; i++) {
            executed(i, sequence, endsEpoch);
        }
        cluster.run();
    }

    private void executed(int node, long sequence, boolean endsEpoch) {
        cluster.input(node, new Input.AdministrationExecuted(sequence, endsEpoch));
    }

    @Test
    void shouldDeliverNothingAfterAnAdministrativeBlockUntilItIsExecuted() {
        cluster.submitAdministration();
        cluster.run();
        cluster.submit();
        cluster.advance(TestCluster.MS);
        assertThat(cluster.nodes).allMatch(node -> node.delivered.size() == 1);

        executed(1, false);
        cluster.settle(1);

        assertThat(cluster.nodes).allMatch(node -> node.delivered.size() == 2);
        assertThat(cluster.replica(0).lowWatermark()).as("no checkpoint").isZero();
    }

    @Test
    void shouldNotBlameThePrimaryForWhatWaits() {
        cluster.submitAdministration();
        cluster.run();
        cluster.submit();
        cluster.advance(20_000 * TestCluster.MS);

        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 0 && node.replica.isViewActive());
    }

    @Test
    void shouldMakeTheLastBlockOfAnEpochACheckpoint() {
        cluster.submit();
        cluster.run();
        cluster.submitAdministration();
        cluster.run();
        cluster.submit();

        executed(2, true);
        cluster.settle(2);

        assertThat(cluster.nodes).allMatch(node -> node.delivered.size() == 2);
        StableCertificate end = cluster.replica(0).stableCertificate();
        assertThat(end.sequence()).isEqualTo(2);
        assertThat(end.signatures()).hasSize(3);
        assertThat(cluster.nodes).allMatch(node -> node.replica.lowWatermark() == 2);
    }

    @Test
    void shouldSignTheLastBlockIfItsResultComesAfterItsExecution() {
        cluster.nodes.forEach(node -> node.isExecuting = false);
        cluster.submitAdministration();
        cluster.run();
        executed(1, true);
        assertThat(cluster.node(1).sent(Checkpoint.class)).isEmpty();

        for (TestCluster.Node node : cluster.nodes) {
            node.isExecuting = true;
            cluster.execute(node);
        }
        cluster.run();

        assertThat(cluster.nodes).allMatch(node -> node.replica.lowWatermark() == 1);
    }

    /** What others ordered after the last block is prepared, or even committed, and no correct replica delivers it. */
    @Test
    void shouldDeliverNothingThatWasOrderedAfterTheLastBlock() {
        cluster.link = (from, to, message) -> !(message instanceof Commit);
        cluster.submitAdministration();
        cluster.run();
        cluster.submit();
        cluster.run();
        cluster.fire(0, Timer.BATCH);
        cluster.run();
        assertThat(cluster.node(0).sent(PrePrepare.class)).hasSize(2);

        cluster.link = (from, to, message) -> true;
        cluster.settle(3);
        assertThat(cluster.nodes).allMatch(node -> node.delivered.size() == 1);
        executed(1, true);
        cluster.settle(3);

        assertThat(cluster.nodes).allMatch(node -> node.delivered.size() == 1 && node.replica.lowWatermark() == 1);
    }

    @Test
    void shouldBringAReplicaThatMissedTheEndToItByItsCertificate() {
        cluster.link = (from, to, message) -> to != 3 && from != 3;
        cluster.submitAdministration();
        cluster.run();
        for (int i = 0; i < 3; i++) {
            executed(i, 1, true);
        }
        cluster.run();
        StableCertificate end = cluster.replica(0).stableCertificate();
        assertThat(end.sequence()).isEqualTo(1);

        cluster.receive(3, new CheckpointProof(end, 0));
        cluster.settle(2);

        assertThat(cluster.node(3).said(Output.TransferState.class)).containsExactly(new Output.TransferState(end));
        Proposal last = cluster.node(0).delivered.getFirst();
        cluster.input(3, new Input.BlockTransferred(1, last.digest(), last.ends()));
        executed(3, 1, true);
        cluster.input(3, new Input.StateTransferred(1, end.chainHash(), end));
        assertThat(cluster.replica(3).lastDelivered()).isEqualTo(1);
        assertThat(cluster.replica(3).lowWatermark()).isEqualTo(1);
    }

    /** The primary fails after two replicas have delivered the last block: a view change finishes the epoch. */
    @Test
    void shouldEndTheEpochThoughItsPrimaryIsLost() {
        cluster.link = (from, to, message) -> !(message instanceof Commit) || to <= 1;
        cluster.submitAdministration();
        cluster.run();
        executed(0, 1, true);
        executed(1, 1, true);
        cluster.crash(0);
        cluster.link = (from, to, message) -> true;

        cluster.advance(30_000 * TestCluster.MS);
        executed(2, 1, true);
        executed(3, 1, true);
        cluster.advance(1_000 * TestCluster.MS);

        assertThat(cluster.nodes.subList(1, 4))
                .allMatch(node -> node.delivered.size() == 1 && node.replica.lowWatermark() == 1);
    }

    @Test
    void shouldGoOnAfterTheOriginOfItsEpoch() {
        cluster.submit();
        cluster.run();
        cluster.submitAdministration();
        cluster.run();
        executed(2, true);
        StableCertificate end = cluster.replica(0).stableCertificate();

        TestCluster next = new TestCluster(4, builder -> builder.epoch(1, end));
        for (int i = 0; i < 7; i++) {
            next.submit();
            next.run();
        }

        assertThat(next.node(0).delivered).extracting(Proposal::sequence).containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(next.node(0).delivered.getFirst().previous()).isEqualTo(end.proposalDigest());
        assertThat(next.nodes).allMatch(node -> node.replica.lowWatermark() == 8);
        assertThat(next.node(3).delivered).isEqualTo(next.node(0).delivered);
    }

    @Test
    void shouldChangeViewsAfterTheOriginOfItsEpoch() {
        TestCluster next = new TestCluster(4, builder -> builder.epoch(1, certificate(2)));
        next.crash(0);
        next.submit();
        next.advance(10_000 * TestCluster.MS);

        assertThat(next.nodes.subList(1, 4)).allMatch(node -> node.delivered.size() == 1 && node.replica.view() >= 1);
    }

    private static StableCertificate certificate(long sequence) {
        return new StableCertificate(sequence, Digest.sha256(new byte[1]), Digest.ZERO, Digest.ZERO, List.of());
    }

    /** Views begin anew: what a replica signed before in view 0 says nothing about view 0 of this epoch. */
    @Test
    void shouldForgetTheVotesOfTheEpochBeforeButNotItsIsolation() {
        cluster.submit();
        cluster.leaveAlone(2);
        List<ReplicaRecord> records = new java.util.ArrayList<>(cluster.node(2).records);
        assertThat(records).hasAtLeastOneElementOfType(ReplicaRecord.ViewLeft.class);
        Outcome own = new Outcome(Digest.ZERO, Digest.ZERO);
        records.add(new ReplicaRecord.Isolated(1, own, own));

        Replica notBegun = inEpochOne(records);
        assertThat(notBegun.view()).isZero();
        assertThat(notBegun.isolatedAt()).isEqualTo(1);
        records.add(new ReplicaRecord.EpochBegan(1, certificate(2)));
        assertThat(inEpochOne(records).view()).isZero();
        records.add(new ReplicaRecord.ViewLeft(4, List.of()));
        assertThat(inEpochOne(records).view()).isEqualTo(4);
        records.add(new ReplicaRecord.EpochBegan(2, certificate(7)));
        records.add(new ReplicaRecord.ViewLeft(9, List.of()));
        assertThat(inEpochOne(records).view()).as("the archive lost its end").isEqualTo(4);
    }

    private static Replica inEpochOne(List<ReplicaRecord> records) {
        Replica replica = new Replica(
                ReplicaConfig.builder(2, 4, TestCluster.CHAIN_ID)
                        .windows(8, 4, 16)
                        .epoch(1, certificate(2))
                        .build(),
                TestCluster.signerOf(2));
        replica.restore(records, 2, sequence -> certificate(2).chainHash(), List.of());
        return replica;
    }

    @Test
    void shouldRefuseAnArchiveThatEndsBeforeItsEpoch() {
        Replica replica = new Replica(
                ReplicaConfig.builder(2, 4, TestCluster.CHAIN_ID)
                        .epoch(1, certificate(20))
                        .build(),
                TestCluster.signerOf(2));

        assertThatThrownBy(() -> replica.restore(List.of(), 19, sequence -> Digest.ZERO, List.of()))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("epoch 1 begins after block 20, the archive ends at block 19");
    }
}
