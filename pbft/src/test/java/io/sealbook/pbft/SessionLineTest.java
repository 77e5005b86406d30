package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SessionLineTest {
    private static final long KEY = SessionKey.of(7, 2);
    /** Of 4 replicas: f+1. */
    private static final int ENOUGH = 2;

    private final SessionLine line = new SessionLine(KEY, 0, 4);

    /** Returns the id of a number in one of several versions of the session. */
    private static Digest id(int version, long number) {
        return number == 0 ? Digest.ZERO : TestCluster.batchId((int) (1_000 * version + number));
    }

    private static SessionEnd end(int version, long number) {
        return new SessionEnd(KEY, number, id(version, number));
    }

    private void holdThrough(long number) {
        while (line.held() < number) {
            long next = line.held() + 1;
            assertThat(line.hold(end(1, next), id(1, next - 1), 0)).isTrue();
        }
    }

    @Test
    void shouldBeReadyAsFarAsEnoughHoldTheSame() {
        holdThrough(10);
        assertThat(line.ready(ENOUGH)).as("alone").isZero();

        line.acknowledge(1, end(1, 4), 0);
        line.acknowledge(2, end(1, 7), 0);
        line.acknowledge(3, end(1, 9), 0);

        assertThat(line.ready(2)).isEqualTo(9);
        assertThat(line.ready(3)).isEqualTo(7);
        assertThat(line.ready(4)).isEqualTo(4);
        assertThat(line.ready(5)).as("more than there are").isZero();
    }

    @Test
    void shouldNotGoBackForAnOlderAcknowledgement() {
        holdThrough(5);
        line.acknowledge(1, end(1, 5), 0);
        line.acknowledge(1, end(1, 2), 0);
        line.acknowledge(1, end(2, 4), 0);

        assertThat(line.ready(ENOUGH)).isEqualTo(5);
    }

    /** Two versions were signed under the numbers from 3 on, and each replica holds the one that it got first. */
    @Test
    void shouldNotCountAnotherVersion() {
        holdThrough(5);
        line.acknowledge(1, end(2, 4), 0);
        line.acknowledge(2, end(2, 5), 0);

        assertThat(line.ready(ENOUGH)).isZero();

        line.acknowledge(3, end(1, 3), 0);
        assertThat(line.ready(ENOUGH)).isEqualTo(3);
    }

    @Test
    void shouldCountWhatIsAheadWhenTheOwnBatchesReachIt() {
        line.acknowledge(1, end(1, 3), 0);
        line.acknowledge(2, end(2, 2), 0);
        assertThat(line.ready(ENOUGH)).isZero();

        holdThrough(2);
        assertThat(line.ready(ENOUGH)).isZero();
        holdThrough(3);
        assertThat(line.ready(ENOUGH)).isEqualTo(3);
    }

    /** The others are always a few batches ahead; only the first and the newest of their acknowledgements are kept. */
    @Test
    void shouldCountAStreamThatStaysAhead() {
        for (long number = 1; number <= 300; number++) {
            line.acknowledge(1, end(1, number + 20), 0);
            line.acknowledge(1, end(1, number + 25), 0);
            holdThrough(number);
            assertThat(line.held() - line.ready(ENOUGH)).as("at %d", number).isLessThan(52);
        }
        assertThat(line.ready(ENOUGH)).isGreaterThan(240);
    }

    /** One faulty replica cannot make a number ready, nor keep the others from it. */
    @Test
    void shouldOutliveAnAcknowledgementThatIsNeverReached() {
        line.acknowledge(3, end(1, Long.MAX_VALUE), 0);
        line.acknowledge(3, end(9, 1), 0);
        holdThrough(4);
        line.acknowledge(3, end(1, 4), 0);
        assertThat(line.ready(ENOUGH)).isEqualTo(4);
        assertThat(line.ready(3)).isZero();

        line.acknowledge(1, end(1, 4), 0);
        assertThat(line.ready(3)).isEqualTo(4);
    }

    @Test
    void shouldHoldOnlyTheNextBatchOfItsChain() {
        holdThrough(2);

        assertThat(line.hold(end(1, 4), id(1, 3), 0)).as("a gap").isFalse();
        assertThat(line.hold(end(2, 3), id(2, 2), 0)).as("another chain").isFalse();
        assertThat(line.hold(end(1, 2), id(1, 1), 0)).as("held").isFalse();
        assertThat(line.hold(end(2, 3), id(1, 2), 0)).as("a fork from here on").isTrue();
        assertThat(line.hold(end(1, 3), id(1, 2), 0)).as("its other version").isFalse();
        assertThat(line.held()).isEqualTo(3);
    }

    @Test
    void shouldHoldNoMoreThanItsRing() {
        holdThrough(SessionLine.AHEAD_MAX);
        long next = SessionLine.AHEAD_MAX + 1;
        assertThat(line.hold(end(1, next), id(1, next - 1), 0)).isFalse();

        line.deliver(end(1, 1), 0);
        assertThat(line.hold(end(1, next), id(1, next - 1), 0)).isTrue();
        assertThat(line.end(2)).as("not overwritten").isEqualTo(end(1, 2));
        assertThat(line.end(next)).isEqualTo(end(1, next));
    }

    @Test
    void shouldGoOnAfterWhatWasDelivered() {
        holdThrough(6);
        line.acknowledge(1, end(1, 5), 0);

        line.deliver(end(1, 4), 0);

        assertThat(line.delivered()).isEqualTo(4);
        assertThat(line.held()).isEqualTo(6);
        assertThat(line.ready(ENOUGH)).isEqualTo(5);
        assertThat(line.holds(end(1, 4))).as("delivered").isFalse();
    }

    /** This replica was behind, or the session forked: others decided what it does not hold. */
    @Test
    void shouldTakeUpWhatOthersDecided() {
        holdThrough(6);
        line.acknowledge(1, end(1, 6), 0);
        line.acknowledge(2, end(2, 9), 0);

        line.deliver(end(2, 4), 0);

        assertThat(line.held()).isEqualTo(4);
        assertThat(line.ready(ENOUGH)).isEqualTo(4);
        assertThat(line.hold(end(1, 5), id(1, 4), 0)).as("of the lost version").isFalse();
        for (long number = 5; number <= 9; number++) {
            assertThat(line.hold(end(2, number), id(2, number - 1), 0)).isTrue();
        }
        assertThat(line.ready(ENOUGH)).as("acknowledged before").isEqualTo(9);
    }

    @Test
    void shouldNameOnlyEndsThatItHolds() {
        holdThrough(3);
        line.deliver(end(1, 1), 0);

        assertThat(line.end(3)).isEqualTo(end(1, 3));
        assertThatIllegalArgumentException().isThrownBy(() -> line.end(1));
        assertThatIllegalArgumentException().isThrownBy(() -> line.end(4));
        assertThat(line.holds(end(1, 3))).isTrue();
        assertThat(line.holds(end(2, 3))).isFalse();
        assertThat(line.holds(end(1, 4))).isFalse();
    }

    /** The definition, in the most direct way: how many replicas hold each number with the same id. */
    @Test
    void shouldFollowTheDefinitionForRandomAcknowledgements() {
        Random random = new Random(14);
        for (int round = 0; round < 500; round++) {
            SessionLine random7 = new SessionLine(KEY, 2, 7);
            long held = 1 + random.nextInt(20);
            for (long number = 1; number <= held; number++) {
                random7.hold(end(1, number), id(1, number - 1), 0);
            }
            long[] through = new long[7];
            through[2] = held;
            for (int i = 0; i < 30; i++) {
                int replica = random.nextInt(7);
                long number = 1 + random.nextInt((int) held);
                int version = 1 + random.nextInt(2);
                random7.acknowledge(replica, end(version, number), 0);
                if (version == 1) {
                    through[replica] = Math.max(through[replica], number);
                }
            }
            long expected = 0;
            for (long number = 1; number <= held; number++) {
                int holders = 0;
                for (long last : through) {
                    holders += last >= number ? 1 : 0;
                }
                expected = holders >= 3 ? number : expected;
            }
            assertThat(random7.ready(3)).as("round %d", round).isEqualTo(expected);
        }
    }

    /** A faulty replica acknowledges what nobody can hold. */
    @Test
    void shouldLackOnlyWhatItCouldHold() {
        line.deliver(end(1, 5), 0);
        line.acknowledge(1, end(1, 6 + SessionLine.AHEAD_MAX), 0);
        line.acknowledge(2, end(1, 5 + SessionLine.AHEAD_MAX), 0);
        line.acknowledge(3, end(1, -1), 0);

        assertThat(line.lacking(1, 1)).isNull();
        assertThat(line.lacking(2, 1).count()).isEqualTo(SessionLine.AHEAD_MAX);
        assertThat(line.lacking(3, 1)).isNull();
    }

    /** Of a range whose beginning is the last delivered batch. */
    @Test
    void shouldHoldARangeOnlyAfterTheDeliveredVersion() {
        holdThrough(4);
        line.deliver(end(1, 2), 0);

        assertThat(line.holds(new BatchRange(end(1, 4), 2, id(1, 2)))).isTrue();
        assertThat(line.holds(new BatchRange(end(1, 4), 2, id(2, 2)))).isFalse();
        assertThat(line.holds(new BatchRange(end(1, 4), 1, id(1, 1))))
                .as("delivered in part")
                .isTrue();
        assertThat(line.holds(new BatchRange(end(1, 4), 3, id(2, 3)))).isFalse();
    }

    /** What the primary itself says counts for nothing. */
    @Test
    void shouldKnowWhatEnoughHoldBesideThePrimary() {
        holdThrough(10);
        line.acknowledge(1, end(1, 9), 0);
        line.acknowledge(2, end(1, 6), 0);
        line.acknowledge(3, end(1, 8), 0);

        assertThat(line.heldBeside(3, 1)).isEqualTo(10);
        assertThat(line.heldBeside(3, 2)).isEqualTo(9);
        assertThat(line.heldBeside(3, 3)).isEqualTo(6);
        assertThat(line.heldBeside(2, 3)).isEqualTo(8);
        assertThat(line.heldBeside(3, 4)).as("more than there are").isZero();
    }

    @Test
    void shouldAnnounceOnceWhatHasWaitedForAWholePeriod() {
        holdThrough(2);
        assertThat(line.takeAnnouncement(0)).as("came in this period").isFalse();
        assertThat(line.takeAnnouncement(0)).isTrue();
        assertThat(line.takeAnnouncement(0)).as("again").isFalse();

        holdThrough(4);
        assertThat(line.takeAnnouncement(2)).as("3 and 4 came in this period").isFalse();
        assertThat(line.takeAnnouncement(4)).as("all is proposed").isFalse();
        holdThrough(5);
        assertThat(line.takeAnnouncement(3)).as("4 has waited").isTrue();
    }

    /** Its number may be below what was announced of the version before. */
    @Test
    void shouldAnnounceWhatFollowsAnotherVersion() {
        holdThrough(5);
        line.takeAnnouncement(0);
        assertThat(line.takeAnnouncement(0)).isTrue();
        line.deliver(end(2, 2), 0);
        assertThat(line.hold(end(2, 3), id(2, 2), 0)).isTrue();

        line.takeAnnouncement(2);
        assertThat(line.takeAnnouncement(2)).isTrue();
    }

    /** Pitfall 21: whoever holds the longer version finds that there is another one, from one batch. */
    @Test
    void shouldNameTheBatchThatAnotherReplicaHoldsInPlaceOfOneThatIsHeld() {
        holdThrough(5);
        line.acknowledge(1, end(2, 3), 0);
        line.acknowledge(2, end(1, 4), 0);
        line.acknowledge(3, end(2, 9), 0);

        assertThat(line.differing(1)).isEqualTo(new BatchRange(end(2, 3), 2, id(1, 2)));
        assertThat(line.differing(2)).as("the same batch").isNull();
        assertThat(line.differing(3)).as("ahead").isNull();

        line.acknowledge(1, end(2, 4), 0);
        assertThat(line.differing(1)).as("the newest").isEqualTo(new BatchRange(end(2, 4), 3, id(1, 3)));

        holdThrough(9);
        assertThat(line.differing(3)).isEqualTo(new BatchRange(end(2, 9), 8, id(1, 8)));
    }

    @Test
    void shouldNameNoOtherBatchOfANumberThatIsDeliveredOrNotHeldAnyMore() {
        holdThrough(5);
        line.acknowledge(1, end(2, 3), 0);
        line.acknowledge(2, end(2, 5), 0);

        line.deliver(end(1, 3), 0);
        assertThat(line.differing(1)).isNull();
        assertThat(line.differing(2)).isNotNull();

        line.deliver(end(3, 4), 0);
        assertThat(line.differing(2))
                .as("the session goes on from another version")
                .isNull();
        assertThat(line.hold(end(2, 5), id(3, 4), 0)).isTrue();
        assertThat(line.differing(2)).as("held now").isNull();
    }
}
