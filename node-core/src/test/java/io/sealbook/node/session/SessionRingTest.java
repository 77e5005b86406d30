package io.sealbook.node.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class SessionRingTest {
    private final SessionRing ring = new SessionRing(0, Digest.ZERO);

    @Test
    void shouldTakeOnlyWhatExtendsTheSession() {
        assertThat(ring.offer(at(2), id(2), false)).isEqualTo(Offer.GAP);
        assertThat(ring.offer(at(1), id(1), false)).isEqualTo(Offer.TAKEN);
        assertThat(ring.offer(at(1), id(1), false)).isEqualTo(Offer.HELD);
        assertThat(ring.offer(at(1), id(9), false)).isEqualTo(Offer.CONFLICT);
        assertThat(ring.offer(new BatchPosition(0, 2, id(9)), id(2), false)).isEqualTo(Offer.BROKEN_CHAIN);
        assertThat(ring.offer(at(2), id(2), false)).isEqualTo(Offer.TAKEN);
        assertThat(head().next()).isEqualTo(3);
        assertThat(head().heldId()).isEqualTo(id(2));
        assertThat(head().delivered()).isZero();
    }

    @Test
    void shouldLetAPeerFillTheGapsOnlyWithTheNamedBatch() {
        assertThat(ring.offer(at(3), id(3), true)).isEqualTo(Offer.TAKEN);
        assertThat(head().held()).isZero();
        assertThat(ring.offer(new BatchPosition(0, 2, id(1)), id(9), true)).isEqualTo(Offer.BROKEN_CHAIN);
        assertThat(ring.offer(at(2), id(2), true)).isEqualTo(Offer.TAKEN);
        assertThat(ring.offer(at(1), id(1), false)).isEqualTo(Offer.TAKEN);
        assertThat(head().held()).isEqualTo(3);
    }

    @Test
    void shouldKnowWhatIsDelivered() {
        ring.offer(at(1), id(1), false);
        ring.delivered(1, id(1));

        assertThat(ring.offer(at(1), id(1), false)).isEqualTo(Offer.DELIVERED);
        assertThat(ring.offer(at(1), id(9), true)).isEqualTo(Offer.CONFLICT);
        assertThat(ring.isDelivered(1, id(1))).isTrue();
        assertThat(ring.isDelivered(1, id(9))).isFalse();
        assertThat(head().delivered()).isEqualTo(1);
        assertThat(head().deliveredId()).isEqualTo(id(1));
    }

    @Test
    void shouldForgetWhatWasHeldAfterTheOtherVersion() {
        ring.offer(at(1), id(1), false);
        ring.offer(at(2), id(2), false);

        ring.delivered(1, id(9));

        assertThat(head().held()).isEqualTo(1);
        assertThat(head().heldId()).isEqualTo(id(9));
        assertThat(ring.offer(new BatchPosition(0, 2, id(9)), id(3), false)).isEqualTo(Offer.TAKEN);
    }

    @Test
    void shouldTakeAReleasedNumberAgain() {
        ring.offer(at(1), id(1), false);
        ring.offer(at(2), id(2), false);

        ring.release(1, id(1));

        assertThat(head().next()).isEqualTo(1);
        assertThat(ring.offer(at(1), id(9), false)).as("2 names it").isEqualTo(Offer.BROKEN_CHAIN);
        assertThat(ring.offer(at(1), id(1), false)).isEqualTo(Offer.TAKEN);
        assertThat(head().next()).isEqualTo(3);
        ring.release(2, id(2));
        assertThat(ring.offer(new BatchPosition(0, 2, id(1)), id(9), false)).isEqualTo(Offer.TAKEN);
    }

    @Test
    void shouldReleaseNoOtherVersion() {
        ring.offer(at(1), id(1), false);

        ring.release(1, id(9));

        assertThat(head().held()).isEqualTo(1);
        assertThat(ring.offer(at(1), id(1), false)).isEqualTo(Offer.HELD);
    }

    @Test
    void shouldBoundWhatWaitsAndForgetWhatIsOld() {
        for (int number = 1; number <= SessionRing.AHEAD_OF_BROKER_MAX; number++) {
            assertThat(ring.offer(at(number), id(number), false)).isEqualTo(Offer.TAKEN);
        }
        int next = SessionRing.AHEAD_OF_BROKER_MAX + 1;
        assertThat(ring.offer(at(next), id(next), false)).isEqualTo(Offer.FULL);
        assertThat(ring.offer(new BatchPosition(0, -1, id(1)), id(2), true)).isEqualTo(Offer.FULL);

        int last = SessionRing.AHEAD_OF_BROKER_MAX + SessionRing.REMEMBERED;
        for (int number = 1; number <= last; number++) {
            ring.offer(at(number), id(number), false);
            ring.delivered(number, id(number));
        }

        assertThat(ring.offer(at(last - SessionRing.REMEMBERED + 1), id(last - SessionRing.REMEMBERED + 1), false))
                .isEqualTo(Offer.DELIVERED);
        assertThat(ring.offer(at(1), id(1), false)).isEqualTo(Offer.PASSED);
        assertThat(ring.isDelivered(1, id(1))).isTrue();
        assertThat(ring.capacity()).as("shrinks").isEqualTo(SessionRing.CAPACITY_MIN);
    }

    /** Its broker hears of deliveries by f+1 other nodes and goes on; this node's blocks come later. */
    @Test
    void shouldTakeWhatPeersSpreadWhileThisNodeIsBehind() {
        for (int number = 1; number <= SessionRing.AHEAD_OF_PEERS_MAX; number++) {
            assertThat(ring.offer(at(number), id(number), true)).isEqualTo(Offer.TAKEN);
        }
        int next = SessionRing.AHEAD_OF_PEERS_MAX + 1;
        assertThat(ring.offer(at(next), id(next), true)).isEqualTo(Offer.FULL);
        assertThat(head().held()).isEqualTo(SessionRing.AHEAD_OF_PEERS_MAX);

        for (int number = 1; number <= SessionRing.AHEAD_OF_PEERS_MAX; number++) {
            assertThat(ring.holder(number)).isEqualTo(id(number));
            ring.delivered(number, id(number));
        }

        assertThat(ring.offer(at(next), id(next), true)).isEqualTo(Offer.TAKEN);
        assertThat(ring.capacity()).as("shrinks").isEqualTo(SessionRing.CAPACITY_MIN);
    }

    /** Memory follows what is held, not how far ahead a member claims to be. */
    @Test
    void shouldNotGrowForALoneBatch() {
        int lone = SessionRing.GAP_MAX + 1;
        assertThat(ring.offer(at(lone), id(lone), true)).isEqualTo(Offer.FULL);
        assertThat(ring.offer(at(lone - 1), id(lone - 1), true)).isEqualTo(Offer.TAKEN);
        assertThat(ring.capacity()).isEqualTo(SessionRing.CAPACITY_MIN);
    }

    /** A ring that grew and shrank holds what one that never did would: seeds of a walk, against a plain map. */
    @RepeatedTest(50)
    void shouldKeepEverythingWhileItGrowsAndShrinks(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int held = 0;
        int delivered = 0;
        for (int step = 0; step < 40; step++) {
            int more = Math.min(random.nextInt(2_000), SessionRing.AHEAD_OF_PEERS_MAX - (held - delivered));
            for (int i = 0; i < more; i++) {
                held++;
                assertThat(ring.offer(at(held), id(held), true)).isEqualTo(Offer.TAKEN);
            }
            int fewer = random.nextInt(held - delivered + 1);
            for (int i = 0; i < fewer; i++) {
                delivered++;
                ring.delivered(delivered, id(delivered));
            }
            assertThat(head().held()).isEqualTo(held);
            assertThat(head().delivered()).isEqualTo(delivered);
            for (int number = Math.max(1, delivered - SessionRing.REMEMBERED + 1); number <= held; number++) {
                assertThat(ring.holder(number)).as("number %d", number).isEqualTo(id(number));
            }
        }
    }

    /** Whatever order batches arrive and are delivered in, the heads are those of the chain. */
    @RepeatedTest(50)
    void shouldComeToTheSameHeadsInAnyOrder(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int count = 1 + random.nextInt(200);
        List<Integer> arrivals = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            arrivals.add(number);
        }
        List<Integer> deliveries = new ArrayList<>(arrivals);
        Collections.shuffle(arrivals, random);
        Collections.shuffle(deliveries, random);
        for (int i = 0; i < count; i++) {
            assertThat(ring.offer(at(arrivals.get(i)), id(arrivals.get(i)), true))
                    .isIn(Offer.TAKEN, Offer.DELIVERED, Offer.PASSED);
            ring.delivered(deliveries.get(i), id(deliveries.get(i)));
        }

        assertThat(head().held()).isEqualTo(count);
        assertThat(head().delivered()).isEqualTo(count);
        assertThat(head().deliveredId()).isEqualTo(head().heldId()).isEqualTo(id(count));
    }

    private SessionHead head() {
        return ring.head(7, false);
    }

    private static BatchPosition at(long number) {
        return new BatchPosition(0, number, number == 1 ? Digest.ZERO : id((int) number - 1));
    }

    private static Digest id(int number) {
        return Digest.sha256(new byte[] {(byte) number, (byte) (number >> 8), (byte) (number >> 16)});
    }
}
