package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

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
            assertThat(table.hold(end(session, number), id(1, session, number - 1)))
                    .isTrue();
        }
    }

    /** Two of four hold it. */
    private void ready(int session, long first, long last) {
        hold(session, first, last);
        table.acknowledge(1, end(session, last));
    }

    private List<SessionEnd> propose() {
        List<SessionEnd> ends = table.take(BLOCK);
        if (!ends.isEmpty()) {
            assertThat(table.isWellFormed(ends, BLOCK)).isTrue();
            assertThat(table.missing(ends)).isEmpty();
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

        table.acknowledge(3, end(1, 2));
        assertThat(propose()).containsExactly(end(1, 2));
    }

    /** A broker signs two versions and spreads one to each half of the replicas. */
    @Test
    void shouldServeOthersBesideASessionOfTwoVersions() {
        hold(1, 1, 3);
        table.acknowledge(1, end(2, 1, 3));
        table.acknowledge(2, end(2, 1, 3));
        ready(2, 1, 3);

        assertThat(propose()).containsExactly(end(2, 3));
        assertThat(table.hold(end(2, 1, 4), id(2, 1, 3))).isFalse();
    }

    @Test
    void shouldFetchTheVersionThatAProposalNamesAndGoOnFromIt() {
        ready(1, 1, 3);
        List<SessionEnd> other = List.of(end(2, 1, 2), end(2, 1));
        assertThat(table.isWellFormed(other, BLOCK)).isTrue();
        table.accept(other);
        assertThat(table.missing(other)).containsExactlyElementsOf(other);

        hold(2, 1, 1);
        table.holdApart(end(2, 1, 2));
        assertThat(table.missing(other)).isEmpty();
        table.deliver(other);

        assertThat(table.take(BLOCK)).as("what followed the other version").isEmpty();
        assertThat(table.hold(end(2, 1, 3), id(2, 1, 2))).isTrue();
        table.acknowledge(1, end(2, 1, 3));
        assertThat(propose()).containsExactly(end(2, 1, 3));
        assertThat(table.entryCount()).as("two lines and the proposal").isEqualTo(3);
    }

    @Test
    void shouldRefuseWhatDoesNotContinueTheChain() {
        ready(1, 1, 6);
        table.accept(List.of(end(1, 2)));

        assertThat(table.isWellFormed(List.of(), BLOCK)).as("nothing").isFalse();
        assertThat(table.isWellFormed(List.of(end(1, 2)), BLOCK)).as("again").isFalse();
        assertThat(table.isWellFormed(List.of(end(1, 1)), BLOCK)).as("before").isFalse();
        assertThat(table.isWellFormed(List.of(end(2, 1), end(1, 3)), BLOCK))
                .as("not ascending")
                .isFalse();
        assertThat(table.isWellFormed(List.of(end(1, 3), end(1, 4)), BLOCK))
                .as("a session twice")
                .isFalse();
        assertThat(table.isWellFormed(List.of(end(1, 9)), BLOCK))
                .as("7 batches")
                .isFalse();
        assertThat(table.isWellFormed(List.of(end(1, 6), end(2, 3)), BLOCK))
                .as("4 and 3 batches")
                .isFalse();
        assertThat(table.isWellFormed(List.of(end(1, Long.MAX_VALUE), end(2, Long.MAX_VALUE)), BLOCK))
                .as("no sum runs over")
                .isFalse();
        assertThat(table.isWellFormed(List.of(end(1, -1)), BLOCK)).isFalse();
        assertThat(table.isWellFormed(List.of(end(1, 6), end(2, 2)), BLOCK)).isTrue();
    }

    @Test
    void shouldProposeAgainWhatANewViewDropped() {
        ready(1, 1, 4);
        ready(2, 1, 4);
        propose();
        propose();

        table.leaveView();
        table.accept(List.of(end(1, 3), end(2, 3)));

        assertThat(table.readyCount()).isEqualTo(2);
        assertThat(propose()).containsExactly(end(1, 4), end(2, 4));
    }

    @Test
    void shouldGoOnAfterARestart() {
        table.restore(end(1, 41));
        assertThat(table.hold(end(1, 1), Digest.ZERO)).isFalse();
        ready(1, 42, 44);

        assertThat(table.held()).containsExactly(end(1, 44));
        assertThat(propose()).containsExactly(end(1, 44));
        table.deliver(List.of(end(1, 44)));
        assertThat(table.held()).isEmpty();
        assertThat(table.entryCount()).isEqualTo(1);
    }
}
