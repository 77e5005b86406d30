package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replica 0 is the primary of view 0, faulty, and names batches that do not exist. */
class InventedProposalsTest {
    private static final int WINDOW = 16;
    private static final int VIEWS = 5;

    private final TestCluster cluster = new TestCluster(4);
    private Digest previous = Digest.ZERO;

    /** No checkpoint becomes stable meanwhile: what the log has of these proposals it would have for ever. */
    @Test
    void shouldWriteNothingOfWhatAPrimaryInvents() {
        for (int view = 0; view < 4 * VIEWS; view++) {
            if (view % 4 == 0) {
                previous = Digest.ZERO;
                for (int sequence = 1; sequence <= WINDOW; sequence++) {
                    propose(view, sequence, invented(1_000 * view + sequence));
                }
            }
            endView(view);
        }

        for (int node = 1; node < 4; node++) {
            assertThat(cluster.node(node).said(Output.Fetch.class))
                    .as("it has accepted them")
                    .isNotEmpty();
            assertThat(cluster.node(node).records)
                    .as("replica " + node)
                    .noneMatch(ReplicaRecord.Accepted.class::isInstance)
                    .filteredOn(ReplicaRecord.ViewEntered.class::isInstance)
                    .hasSize(4 * VIEWS);
        }
    }

    private void endView(long view) {
        for (int node = 0; node < 4; node++) {
            for (int suspecting = 1; suspecting <= 2; suspecting++) {
                cluster.receive(node, TestCluster.suspicion(view, suspecting));
            }
        }
        cluster.run();
    }

    /** Every second proposal names a batch that all hold, so that it could be voted for. */
    @Test
    void shouldWriteNothingOfWhatFollowsAnInvention() {
        cluster.crash(0);
        SessionEnd held = TestCluster.batch(1);
        hold(held);

        propose(0, 1, invented(1));
        propose(0, 2, held);

        for (int node = 1; node < 4; node++) {
            assertThat(cluster.node(node).sent(Prepare.class)).isEmpty();
            assertThat(cluster.node(node).records).isEmpty();
        }
    }

    @Test
    void shouldVoteForAllThatWaitedWhenTheMissingBatchComes() {
        cluster.crash(0);
        SessionEnd late = TestCluster.batch(1);
        SessionEnd held = TestCluster.batch(2);
        hold(held);
        propose(0, 1, late);
        propose(0, 2, held);
        assertThat(cluster.node(2).sent(Prepare.class)).isEmpty();

        cluster.available(2, late);

        assertThat(cluster.node(2).sent(Prepare.class))
                .extracting(Prepare::sequence)
                .containsExactly(1L, 2L);
        assertThat(accepted(2)).containsExactly(1L, 2L);
    }

    /** It has said nothing about the proposal, so another one may have its vote. */
    @Test
    void shouldVoteForAnotherProposalAfterARestartIfItHadNotVoted() {
        cluster.crash(0);
        SessionEnd held = TestCluster.batch(1);
        propose(0, 1, invented(1));
        cluster.crash(2);
        cluster.restart(2);
        cluster.available(2, held);

        previous = Digest.ZERO;
        propose(0, 1, held);

        assertThat(cluster.node(2).sent(Prepare.class))
                .extracting(Prepare::sequence)
                .containsExactly(1L);
        assertThat(accepted(2)).containsExactly(1L);
    }

    /** The vote is repeated, its record is not. */
    @Test
    void shouldWriteWhatItVotesForOnce() {
        cluster.crash(0);
        SessionEnd held = TestCluster.batch(1);
        hold(held);
        propose(0, 1, held);
        cluster.crash(2);
        cluster.restart(2);
        cluster.available(2, held);

        assertThat(cluster.node(2).sent(Prepare.class)).hasSize(1);
        assertThat(accepted(2)).containsExactly(1L);
    }

    private List<Long> accepted(int node) {
        return cluster.node(node).records.stream()
                .filter(ReplicaRecord.Accepted.class::isInstance)
                .map(ReplicaRecord::sequence)
                .toList();
    }

    private void hold(SessionEnd batch) {
        for (int node = 1; node < 4; node++) {
            cluster.available(node, batch);
        }
    }

    private static SessionEnd invented(int number) {
        return new SessionEnd(SessionKey.of(9, number), 1, TestCluster.batchId(1_000_000 + number));
    }

    /** The primary shows a proposal to the other replicas. */
    private void propose(long view, long sequence, SessionEnd... ends) {
        Proposal proposal = new Proposal(view, sequence, cluster.nowNs, previous, List.of(ends));
        previous = proposal.digest();
        byte[] signed = PrePrepare.signedBytes(TestCluster.EPOCH, view, sequence, proposal.digest(), 0);
        PrePrepare prePrepare = new PrePrepare(
                view,
                sequence,
                proposal,
                0,
                Signature.of(TestCluster.signerOf(0).sign(signed)));
        for (int node = 1; node < 4; node++) {
            cluster.receive(node, prePrepare);
        }
        cluster.run();
    }
}
