package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fairness and liveness of each session, whatever happens in the others. */
class SessionTableTest {
    private static final int BLOCK = 6;

    private final SessionTable table = new SessionTable(0, 4, 2);

    /** Returns the end of a session of broker 1 in one of several versions. */
    private static SessionEnd end(int version, int session, long number) {
        return new SessionEnd(SessionKey.of(1, session), number, id(version, session, number));
    }

    private static SessionEnd end(int session, long number) {
        return end(1, session, number);
    }

    private static Digest id(int version, int session, long number) {
        return number == 0 ? Digest.ZERO : TestCluster.batchId((int) (100_000 * version + 1_000 * session + number));
    }

    private void hold(int session, long first, long last) {
        for (long number = first; number <= last; number++) {
            assertThat(table.hold(end(session, number), id(1, session, number - 1), 0))
                    .isTrue();
        }
    }

    /** Two of four hold it. */
    private void ready(int session, long first, long last) {
        hold(session, first, last);
        table.acknowledge(1, end(session, last), 0);
    }

    private boolean isRight(List<SessionEnd> ends) {
        return new Proposal(0, 1, 1, Digest.ZERO, ends).hasForm(BLOCK, false)
                && table.proposed().hasOnlyNew(ends)
                && table.proposed().fits(ends, BLOCK);
    }

    private List<SessionEnd> propose() {
        List<SessionEnd> ends = table.take(BLOCK);
        if (!ends.isEmpty()) {
            assertThat(isRight(ends)).isTrue();
            assertThat(table.missing(table.proposed().ranges(ends))).isEmpty();
            table.accept(ends);
        }
        return ends;
    }

    @Test
    void shouldServeSessionsInTurn() {
        ready(1, 1, 20);
        ready(2, 1, 1);
        ready(3, 1, 4);
        assertThat(table.readyCount()).isEqualTo(25);

        assertThat(propose()).containsExactly(end(1, 3), end(2, 1), end(3, 2));
        assertThat(propose()).containsExactly(end(1, 7), end(3, 4));
        assertThat(propose()).containsExactly(end(1, 13));
        assertThat(propose()).containsExactly(end(1, 19));
        assertThat(propose()).containsExactly(end(1, 20));
        assertThat(propose()).isEmpty();
        assertThat(table.readyCount()).isZero();
    }

    /** With more sessions than a block has room for, each gets its turn. */
    @Test
    void shouldServeEachOfManySessions() {
        for (int session = 1; session <= 8; session++) {
            ready(session, 1, 6);
        }
        long[] served = new long[9];
        for (int block = 0; block < 4; block++) {
            propose().forEach(end -> served[SessionKey.session(end.sessionKey())] = end.number());
        }
        // 24 batches for 8 sessions.
        assertThat(served).containsExactly(0, 3, 3, 3, 3, 3, 3, 3, 3);
    }

    /** A batch that the others lack holds back its own session only. */
    @Test
    void shouldHoldBackOnlyTheSessionThatIsNotAcknowledged() {
        hold(1, 1, 20);
        ready(2, 1, 3);

        assertThat(propose()).containsExactly(end(2, 3));

        table.acknowledge(3, end(1, 2), 0);
        assertThat(propose()).containsExactly(end(1, 2));
    }

    /** A broker signs two versions and spreads one to each half of the replicas. */
    @Test
    void shouldServeOthersBesideASessionOfTwoVersions() {
        hold(1, 1, 3);
        table.acknowledge(1, end(2, 1, 3), 0);
        table.acknowledge(2, end(2, 1, 3), 0);
        ready(2, 1, 3);

        assertThat(propose()).containsExactly(end(2, 3));
        assertThat(table.hold(end(2, 1, 4), id(2, 1, 3), 0)).isFalse();
    }

    @Test
    void shouldFetchTheVersionThatAProposalNamesAndGoOnFromIt() {
        ready(1, 1, 3);
        List<SessionEnd> other = List.of(end(2, 1, 2), end(1, 2, 1));
        assertThat(isRight(other)).isTrue();
        List<BatchRange> ranges = table.proposed().ranges(other);
        table.accept(other);
        assertThat(table.missing(ranges)).containsExactlyElementsOf(ranges);

        hold(2, 1, 1);
        table.holdApart(ranges.getFirst());
        assertThat(table.missing(ranges)).isEmpty();
        other.forEach(end -> table.deliver(end, 0));

        assertThat(table.take(BLOCK)).as("what followed the other version").isEmpty();
        assertThat(table.hold(end(2, 1, 3), id(2, 1, 2), 0)).isTrue();
        table.acknowledge(1, end(2, 1, 3), 0);
        assertThat(propose()).containsExactly(end(2, 1, 3));
        assertThat(table.entryCount())
                .as("two sessions, a proposal and a batch")
                .isEqualTo(4);
    }

    @Test
    void shouldRefuseWhatDoesNotContinueTheChain() {
        ready(1, 1, 6);
        table.accept(List.of(end(1, 2)));

        assertThat(isRight(List.of())).as("nothing").isFalse();
        assertThat(isRight(List.of(end(1, 2)))).as("again").isFalse();
        assertThat(isRight(List.of(end(1, 1)))).as("before").isFalse();
        assertThat(isRight(List.of(end(2, 1), end(1, 3)))).as("not ascending").isFalse();
        assertThat(isRight(List.of(end(1, 3), end(1, 4)))).as("a session twice").isFalse();
        assertThat(isRight(List.of(end(1, 9)))).as("7 batches").isFalse();
        assertThat(isRight(List.of(end(1, 6), end(2, 3)))).as("4 and 3 batches").isFalse();
        assertThat(isRight(List.of(end(1, Long.MAX_VALUE), end(2, Long.MAX_VALUE))))
                .as("no sum runs over")
                .isFalse();
        assertThat(isRight(List.of(end(1, -1)))).isFalse();
        assertThat(isRight(List.of(end(1, 6), end(2, 2)))).isTrue();
    }

    @Test
    void shouldProposeAgainWhatANewViewDropped() {
        ready(1, 1, 4);
        ready(2, 1, 4);
        propose();
        propose();

        table.forgetProposals();
        table.accept(List.of(end(1, 3), end(2, 3)));

        assertThat(table.readyCount()).isEqualTo(2);
        assertThat(propose()).containsExactly(end(1, 4), end(2, 4));
    }

    @Test
    void shouldGoOnAfterARestart() {
        table.deliver(end(1, 41), 0);
        assertThat(table.hold(end(1, 1), Digest.ZERO, 0)).isFalse();
        ready(1, 42, 44);

        assertThat(table.held()).containsExactly(end(1, 44));
        assertThat(propose()).containsExactly(end(1, 44));
        table.deliver(end(1, 44), 0);
        assertThat(table.held()).isEmpty();
        assertThat(table.entryCount()).isEqualTo(1);
    }

    /** A faulty replica fills its own share only. */
    @Test
    void shouldRememberALimitedNumberOfSessionsOfEachReplicaThatNobodyElseNames() {
        for (int session = 0; session < UnknownSessions.PER_REPLICA_MAX; session++) {
            assertThat(table.acknowledge(3, end(session, 1), 0)).isTrue();
        }
        assertThat(table.acknowledge(3, end(5_000, 1), 0)).isFalse();
        assertThat(table.acknowledge(1, end(5_000, 1), 0)).isTrue();

        hold(7, 1, 1);
        assertThat(table.acknowledge(3, end(5_001, 1), 0))
                .as("one is known now")
                .isTrue();
    }

    /** A primary names one version first and then a batch that follows the other one: nobody may vote for it. */
    @Test
    void shouldMissABatchThatDoesNotFollowTheProposedVersion() {
        hold(1, 1, 3);
        List<SessionEnd> other = List.of(end(2, 1, 2));
        BatchRange otherRange = table.proposed().ranges(other).getFirst();
        table.accept(other);
        table.holdApart(otherRange);

        List<BatchRange> next = table.proposed().ranges(List.of(end(1, 3)));

        assertThat(next).containsExactly(new BatchRange(end(1, 3), 2, id(2, 1, 2)));
        assertThat(table.missing(next)).containsExactlyElementsOf(next);
    }

    @Test
    void shouldProposeNothingOfASessionWhoseAcceptedProposalHasAnotherVersion() {
        ready(1, 1, 3);
        table.accept(List.of(end(2, 1, 2)));
        assertThat(table.readyCount()).isZero();
        assertThat(table.take(BLOCK)).isEmpty();
    }

    @Test
    void shouldForgetOfAWithdrawnSessionWhatNoProposalNames() {
        ready(1, 1, 5);
        table.withdraw(end(1, 1).sessionKey(), 2);

        assertThat(table.holds(end(1, 2))).isTrue();
        assertThat(table.holds(end(1, 3))).isFalse();
        assertThat(table.heldCount()).as("that somebody waits for").isZero();
        assertThat(table.readyCount()).isEqualTo(2);
        assertThat(table.held()).isEmpty();
    }

    /** A faulty primary names sessions that no broker has, in view after view. */
    @Test
    void shouldKeepNothingOfProposedSessionsThatNobodyHas() {
        for (int session = 0; session < 1_000; session++) {
            table.accept(List.of(end(session, 1)));
        }
        table.forgetProposals();

        assertThat(table.entryCount()).isZero();
    }

    /** A session that moves need not be acknowledged again, however long it has had batches. */
    @Test
    void shouldBeOverdueOnlyWithoutDelivery() {
        ready(1, 1, 4);
        assertThat(table.overdue(1)).containsExactly(end(1, 4));

        table.deliver(end(1, 2), 9);

        assertThat(table.overdue(9)).isEmpty();
        assertThat(table.overdue(10)).containsExactly(end(1, 4));
    }

    /** At a restart the heads come first, and then the blocks above the stable checkpoint. */
    @Test
    void shouldNotGoBackToABlockBeforeTheHeads() {
        table.deliver(end(1, 5), 0);

        SessionTable.Delivered again = table.deliver(end(1, 3), 0);

        assertThat(again.count()).isZero();
        assertThat(again.dropped()).isEmpty();
        assertThat(table.delivered(end(1, 1).sessionKey())).isEqualTo(end(1, 5));
    }
}
