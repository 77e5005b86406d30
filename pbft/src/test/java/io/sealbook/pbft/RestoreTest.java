package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pitfall 9: a replica that comes back never votes against what it said before. */
class RestoreTest {
    private final TestCluster cluster = new TestCluster(4);

    @Test
    void shouldRepeatItsVotesAndNoOthers() {
        cluster.link = (from, to, message) -> !(message instanceof Commit);
        cluster.submit();
        cluster.run();
        Prepare prepare = cluster.node(2).sent(Prepare.class).getFirst();
        Commit commit = cluster.node(2).sent(Commit.class).getFirst();

        cluster.crash(2);
        cluster.restart(2);
        cluster.available(2, TestCluster.batch(0));

        assertThat(cluster.node(2).sent(Prepare.class)).containsOnly(prepare);
        assertThat(cluster.node(2).sent(Commit.class)).containsOnly(commit);
    }

    @Test
    void shouldNotAcceptAnotherProposalForASequenceItAccepted() {
        cluster.link = (from, to, message) -> !(message instanceof Prepare);
        cluster.submit();
        cluster.run();
        cluster.crash(2);
        cluster.restart(2);
        Proposal other = new Proposal(0, 1, cluster.nowNs, Digest.ZERO, List.of(TestCluster.batch(50)));
        cluster.available(2, TestCluster.batch(50));
        cluster.available(2, TestCluster.batch(0));

        PrePrepare equivocation = new PrePrepare(
                0,
                1,
                other,
                0,
                Signature.of(TestCluster.signerOf(0)
                        .sign(PrePrepare.signedBytes(TestCluster.EPOCH, 0, 1, other.digest(), 0))));
        cluster.receive(2, equivocation);

        assertThat(cluster.node(2).ignored()).contains(IgnoreReason.CONFLICTING);
        assertThat(cluster.node(2).sent(Prepare.class))
                .extracting(Prepare::digest)
                .doesNotContain(other.digest());
    }

    @Test
    void shouldNotProposeAnotherBlockForASequenceItProposed() {
        cluster.link = (from, to, message) -> !(message instanceof PrePrepare);
        cluster.submit();
        cluster.run();
        Proposal proposed = cluster.node(0).sent(PrePrepare.class).getFirst().proposal();

        cluster.crash(0);
        cluster.link = (from, to, message) -> true;
        cluster.restart(0);
        cluster.submit();
        cluster.run();
        cluster.settle(3);

        assertThat(cluster.node(1).delivered).startsWith(proposed);
        assertThat(cluster.nodes).allMatch(node -> node.delivered.equals(cluster.node(1).delivered));
    }

    @Test
    void shouldStayOutOfAViewThatItLeft() {
        cluster.submit();
        cluster.leaveAlone(2);
        cluster.crash(2);

        cluster.link = (from, to, message) -> from != 2;
        cluster.restart(2);
        cluster.submit();
        cluster.run();

        assertThat(cluster.replica(2).view()).isEqualTo(1);
        assertThat(cluster.replica(2).isViewActive()).isFalse();
        assertThat(cluster.node(2).sent(ViewChange.class)).isNotEmpty();
        assertThat(cluster.node(2).sent(Prepare.class)).isEmpty();
    }

    @Test
    void shouldShowInAViewChangeWhatItPreparedBeforeTheCrash() {
        cluster.link = (from, to, message) -> !(message instanceof Commit);
        cluster.submit();
        cluster.run();
        cluster.crash(2);
        cluster.restart(2);
        cluster.available(2, TestCluster.batch(0));
        cluster.leaveAlone(2);

        ViewChange viewChange = cluster.node(2).sent(ViewChange.class).getFirst();
        assertThat(viewChange.prepared()).hasSize(1);
        assertThat(TestCluster.isGenuine(viewChange)).isTrue();
    }

    @Test
    void shouldRejoinAndCatchUpAfterEveryReplicaWasKilled() {
        for (int i = 0; i < 6; i++) {
            cluster.submit();
            cluster.run();
        }
        for (int i = 0; i < 4; i++) {
            cluster.crash(i);
        }
        for (int i = 0; i < 4; i++) {
            cluster.restart(i);
        }
        cluster.run();

        cluster.submit();
        cluster.run();

        assertThat(cluster.nodes).allMatch(node -> node.delivered.size() == 7);
        assertThat(cluster.nodes).allMatch(node -> node.replica.lowWatermark() == 4);
    }

    @Test
    void shouldKeepTheNewViewForThoseWhoMissedIt() {
        cluster.submit();
        cluster.link = (from, to, message) -> to != 3 && from != 3;
        cluster.fire(1, Timer.REQUEST);
        cluster.fire(2, Timer.REQUEST);
        cluster.run();
        assertThat(cluster.replica(0).view()).isEqualTo(1);
        for (int i = 0; i < 3; i++) {
            cluster.crash(i);
            cluster.restart(i);
        }
        cluster.link = (from, to, message) -> true;

        cluster.settle(4);

        assertThat(cluster.replica(3).view()).isEqualTo(1);
        assertThat(cluster.replica(3).isViewActive()).isTrue();
    }

    @Test
    void shouldTransferStateWhenTheArchiveEndsBelowItsCertificate() {
        for (int i = 0; i < 4; i++) {
            cluster.submit();
            cluster.run();
        }
        cluster.crash(1);
        cluster.node(1).delivered.removeLast();

        cluster.restart(1);

        assertThat(cluster.replica(1).state()).isEqualTo(ReplicaState.TRANSFERRING);
        assertThat(cluster.node(1).said(Output.TransferState.class)).hasSize(1);
    }

    @Test
    void shouldRefuseALogThatContradictsItself() {
        Replica replica = new Replica(cluster.node(1).config, TestCluster.signerOf(1));

        assertThatThrownBy(() -> replica.restore(
                        List.of(new ReplicaRecord.Prepared(0, 1, TestCluster.batchId(1), List.of())),
                        0,
                        sequence -> Digest.ZERO,
                        List.of()))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("without its proposal");
    }
}
