package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.Digest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whose vote counts for what (TOCS 2002, section 4.2; pitfalls 2, 6, 15 and 16). */
class VoteCountingTest {
    private static final long MS = TestCluster.MS;

    private final TestCluster cluster = new TestCluster(4);

    /** The last proposal made for each sequence: those of the next sequence name it. */
    private final Map<Long, Digest> made = new HashMap<>();

    private PrePrepare prePrepare(long view, long sequence, long blockTimeNs, int... batches) {
        List<SessionEnd> named =
                java.util.Arrays.stream(batches).mapToObj(TestCluster::batch).toList();
        Digest previous = sequence == 1 ? Digest.ZERO : made.getOrDefault(sequence - 1, TestCluster.batchId(-1));
        Proposal proposal = new Proposal(view, sequence, blockTimeNs, previous, named);
        made.put(sequence, proposal.digest());
        int primary = (int) (view % 4);
        return new PrePrepare(
                view,
                sequence,
                proposal,
                primary,
                Signature.of(TestCluster.signerOf(primary)
                        .sign(PrePrepare.signedBytes(TestCluster.EPOCH, view, sequence, proposal.digest(), primary))));
    }

    private static Prepare prepare(long view, long sequence, Digest digest, int sender) {
        return new Prepare(
                view,
                sequence,
                digest,
                sender,
                Signature.of(TestCluster.signerOf(sender)
                        .sign(Prepare.signedBytes(TestCluster.EPOCH, view, sequence, digest, sender))));
    }

    private static BatchRange range(int batch) {
        return new BatchRange(TestCluster.batch(batch), 0, Digest.ZERO);
    }

    private void hold(int... batches) {
        for (int number : batches) {
            cluster.available(1, TestCluster.batch(number));
        }
    }

    @Test
    void shouldPersistTheAcceptedProposalBeforeThePrepare() {
        hold(1);
        cluster.receive(1, prePrepare(0, 1, cluster.nowNs, 1));

        List<Output> said = cluster.node(1).said;
        int persisted = indexOf(said, Output.Persist.class);
        int prepared = indexOfBroadcast(said, Prepare.class);
        assertThat(persisted).isBetween(0, prepared);
    }

    private static int indexOf(List<Output> said, Class<? extends Output> type) {
        for (int i = 0; i < said.size(); i++) {
            if (type.isInstance(said.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private static int indexOfBroadcast(List<Output> said, Class<?> type) {
        for (int i = 0; i < said.size(); i++) {
            if (said.get(i) instanceof Output.Broadcast broadcast && type.isInstance(broadcast.message())) {
                return i;
            }
        }
        return -1;
    }

    /** Pitfall 2: a prepared digest without its payload would block a new primary. */
    @Test
    void shouldPrepareOnlyWithEveryPayloadAndFetchTheMissing() {
        hold(1);

        cluster.receive(1, prePrepare(0, 1, cluster.nowNs, 1, 2));
        assertThat(cluster.node(1).sent(Prepare.class)).isEmpty();
        assertThat(cluster.node(1).said(Output.Fetch.class))
                .containsExactly(new Output.Fetch(List.of(range(2)), List.of(0, 2, 3), true));

        hold(2);
        assertThat(cluster.node(1).sent(Prepare.class)).hasSize(1);
    }

    /** Pitfall 15: a holder that does not answer is followed by another. */
    @Test
    void shouldAskOtherHoldersUntilThePayloadComes() {
        cluster.receive(1, prePrepare(0, 1, cluster.nowNs, 1));

        cluster.fire(1, Timer.STATUS);
        cluster.fire(1, Timer.STATUS);
        cluster.fire(1, Timer.STATUS);

        assertThat(cluster.node(1).said(Output.Fetch.class))
                .extracting(fetch -> fetch.holders().getFirst())
                .contains(0, 2, 3);
    }

    /** Pitfall 15: nothing else may wake a backup that waits for a payload until a STATUS period is over. */
    @Test
    void shouldWatchTheClockUntilAMissingPayloadIsFetched() {
        TestCluster patient = new TestCluster(4, builder -> builder.fetchDelayNs(30 * MS));
        assertThat(patient.replica(1).watchesClock()).isFalse();

        patient.receive(1, prePrepare(0, 1, patient.nowNs, 1));
        assertThat(patient.replica(1).watchesClock()).isTrue();
        for (int cycle = 0; cycle < 2; cycle++) {
            patient.nowNs += 20 * MS;
            patient.input(1, new Input.Heard(0));
        }

        assertThat(patient.node(1).said(Output.Fetch.class)).hasSize(1);
        assertThat(patient.replica(1).watchesClock()).isFalse();
    }

    /** Pitfall 15: what others hold and this replica never got is fetched, each sender within its share. */
    @Test
    void shouldFetchWhatOthersAcknowledge() {
        SessionEnd unknown = TestCluster.batch(5);
        cluster.receive(1, new io.sealbook.pbft.message.BatchAck(List.of(unknown), 2));

        for (int i = 0; i < 5; i++) {
            cluster.fire(1, Timer.STATUS);
        }

        assertThat(cluster.node(1).said(Output.Fetch.class))
                .contains(new Output.Fetch(List.of(range(5)), List.of(2), false));
    }

    /** Pitfall 16: votes are counted by view, sequence, digest and sender. */
    @Test
    void shouldKeepTheFirstProposalAndReportTheSecondAsEvidence() {
        hold(1, 2);
        PrePrepare first = prePrepare(0, 1, cluster.nowNs, 1);
        PrePrepare second = prePrepare(0, 1, cluster.nowNs, 2);

        cluster.receive(1, first);
        cluster.receive(1, second);

        assertThat(cluster.node(1).sent(Prepare.class))
                .extracting(Prepare::digest)
                .containsExactly(first.digest());
        assertThat(cluster.node(1).said(Output.Ignored.class))
                .contains(new Output.Ignored(second, IgnoreReason.CONFLICTING));
    }

    @Test
    void shouldNotCountTwoDigestsOfOneSenderNorAVoteForAnotherDigest() {
        hold(1);
        PrePrepare first = prePrepare(0, 1, cluster.nowNs, 1);
        Digest other = TestCluster.batchId(77);
        cluster.receive(1, first);

        cluster.receive(1, prepare(0, 1, other, 2));
        cluster.receive(1, prepare(0, 1, first.digest(), 2));
        cluster.receive(1, prepare(0, 1, other, 3));
        assertThat(cluster.node(1).sent(Commit.class)).isEmpty();
        assertThat(cluster.node(1).ignored()).contains(IgnoreReason.CONFLICTING);
    }

    @Test
    void shouldCommitWithThePrimaryAndQuorumMinusOnePrepares() {
        hold(1);
        PrePrepare first = prePrepare(0, 1, cluster.nowNs, 1);
        cluster.receive(1, first);
        assertThat(cluster.node(1).sent(Commit.class)).isEmpty();

        cluster.receive(1, prepare(0, 1, first.digest(), 0));
        assertThat(cluster.node(1).sent(Commit.class)).isEmpty();
        assertThat(cluster.node(1).ignored()).contains(IgnoreReason.WRONG_ROLE);

        cluster.receive(1, prepare(0, 1, first.digest(), 3));
        assertThat(cluster.node(1).sent(Commit.class)).hasSize(1);
    }

    @Test
    void shouldDeliverOnQuorumCommitsOfOneViewOnly() {
        hold(1);
        PrePrepare first = prePrepare(0, 1, cluster.nowNs, 1);
        cluster.receive(1, first);

        cluster.receive(1, new Commit(0, 1, first.digest(), 0));
        cluster.receive(1, new Commit(1, 1, first.digest(), 2));
        cluster.receive(1, new Commit(0, 1, TestCluster.batchId(9), 3));
        assertThat(cluster.node(1).delivered).isEmpty();

        cluster.receive(1, new Commit(1, 1, first.digest(), 3));
        assertThat(cluster.node(1).delivered).isEmpty();
        cluster.receive(1, new Commit(1, 1, first.digest(), 0));
        assertThat(cluster.node(1).delivered).containsExactly(first.proposal());
    }

    @Test
    void shouldDeliverWhatOneCorrectReplicaSurelyDelivered() {
        hold(1);
        PrePrepare first = prePrepare(0, 1, cluster.nowNs, 1);
        cluster.receive(1, first);

        cluster.receive(1, new Commit(Commit.DECIDED_VIEW, 1, first.digest(), 2));
        assertThat(cluster.node(1).delivered).isEmpty();
        cluster.receive(1, new Commit(Commit.DECIDED_VIEW, 1, first.digest(), 3));
        assertThat(cluster.node(1).delivered).hasSize(1);
    }

    @Test
    void shouldIgnoreAProposalOfAnotherThanThePrimary() {
        PrePrepare genuine = prePrepare(0, 1, cluster.nowNs, 1);
        PrePrepare usurped = new PrePrepare(0, 1, genuine.proposal(), 2, genuine.signature());

        cluster.receive(1, usurped);

        assertThat(cluster.node(1).ignored()).containsExactly(IgnoreReason.WRONG_ROLE);
    }

    /** Pitfall 6: the primary may not exhaust the window, nor leave gaps. */
    @Test
    void shouldIgnoreProposalsOutsideTheWatermarksAndHoldThoseAfterAGap() {
        hold(1, 2);

        cluster.receive(1, prePrepare(0, 33, cluster.nowNs, 1));
        assertThat(cluster.node(1).ignored()).containsExactly(IgnoreReason.OUT_OF_WINDOW);

        PrePrepare first = prePrepare(0, 1, cluster.nowNs, 1);
        cluster.receive(1, prePrepare(0, 2, cluster.nowNs, 2));
        assertThat(cluster.node(1).sent(Prepare.class)).isEmpty();
        cluster.receive(1, first);
        assertThat(cluster.node(1).sent(Prepare.class))
                .extracting(Prepare::sequence)
                .containsExactly(1L, 2L);
    }

    @Test
    void shouldIgnoreBlockTimesThatStray() {
        hold(1, 2, 3);

        cluster.receive(1, prePrepare(0, 1, cluster.nowNs + 6_000 * MS, 1));
        assertThat(cluster.node(1).ignored()).containsExactly(IgnoreReason.BLOCK_TIME);

        cluster.receive(1, prePrepare(0, 1, cluster.nowNs, 1));
        cluster.receive(1, prePrepare(0, 2, cluster.nowNs - 6_000 * MS, 2));
        assertThat(cluster.node(1).ignored()).containsExactly(IgnoreReason.BLOCK_TIME, IgnoreReason.BLOCK_TIME);
        assertThat(cluster.node(1).sent(Prepare.class)).hasSize(1);
    }

    @Test
    void shouldIgnoreAProposalThatNamesABatchTwice() {
        hold(1, 2);

        cluster.receive(1, prePrepare(0, 1, cluster.nowNs, 1));
        cluster.receive(1, prePrepare(0, 2, cluster.nowNs, 1, 2));
        assertThat(cluster.node(1).ignored()).containsExactly(IgnoreReason.DUPLICATE_BATCH);

        cluster.receive(1, prePrepare(0, 2, cluster.nowNs, 2, 2));
        assertThat(cluster.node(1).ignored()).containsExactly(IgnoreReason.DUPLICATE_BATCH, IgnoreReason.MALFORMED);
    }

    /**
     * The simulator found that a replica stopped here: what Q others committed is not judged by the own clock again.
     */
    @Test
    void shouldDeliverWhatOthersCommittedThoughItRefusedTheProposal() {
        hold(1);
        PrePrepare early = prePrepare(0, 1, cluster.nowNs + 6_000 * MS, 1);
        cluster.receive(1, early);
        for (int sender : new int[] {0, 2, 3}) {
            cluster.receive(1, new Commit(0, 1, early.digest(), sender));
        }
        assertThat(cluster.node(1).delivered).containsExactly(early.proposal());

        cluster.receive(1, early);

        assertThat(cluster.node(1).sent(Prepare.class)).hasSize(1);
    }
}
