package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session whose batches up to 5 are delivered, and one without any. */
class ProposedRangesTest {
    private static final long OLD = SessionKey.of(1, 1);
    private static final long NEW = SessionKey.of(2, 1);

    private final ProposedRanges proposed = new ProposedRanges(session -> session == OLD ? end(OLD, 5) : null);

    private static SessionEnd end(long session, int number) {
        return new SessionEnd(session, number, Digest.sha256(new byte[] {(byte) session, (byte) number}));
    }

    @Test
    void shouldFollowTheLastEndThatIsNamed() {
        proposed.accept(end(OLD, 7));
        proposed.accept(end(NEW, 2));

        assertThat(proposed.ranges(List.of(end(OLD, 9), end(NEW, 3))))
                .containsExactly(
                        new BatchRange(end(OLD, 9), 7, end(OLD, 7).id()),
                        new BatchRange(end(NEW, 3), 2, end(NEW, 2).id()));
        assertThat(proposed.rangesAfterDelivered(List.of(end(OLD, 9), end(NEW, 3))))
                .containsExactly(
                        new BatchRange(end(OLD, 9), 5, end(OLD, 5).id()), new BatchRange(end(NEW, 3), 0, Digest.ZERO));
    }

    /** A proposal of an earlier view that is accepted again may name what has been delivered since. */
    @Test
    void shouldNotGoBackToWhatIsDeliveredOrNamed() {
        proposed.accept(end(OLD, 4));
        assertThat(proposed.last(OLD)).isNull();
        assertThat(proposed.lastNumber(OLD)).isEqualTo(5);

        proposed.accept(end(OLD, 7));
        proposed.accept(end(OLD, 6));

        assertThat(proposed.last(OLD)).isEqualTo(end(OLD, 7));
        assertThat(proposed.hasOnlyNew(List.of(end(OLD, 7)))).isFalse();
        assertThat(proposed.hasOnlyNew(List.of(end(OLD, 8)))).isTrue();
    }

    @Test
    void shouldForgetWhatIsDelivered() {
        proposed.accept(end(NEW, 3));
        BatchRange range = new BatchRange(end(NEW, 3), 0, Digest.ZERO);
        proposed.holdApart(range);

        proposed.deliver(end(NEW, 2));
        assertThat(proposed.last(NEW)).isEqualTo(end(NEW, 3));
        assertThat(proposed.isHeldApart(range)).isTrue();

        proposed.deliver(end(NEW, 3));
        assertThat(proposed.last(NEW)).isNull();
        assertThat(proposed.isHeldApart(range)).isFalse();
        assertThat(proposed.entryCount()).isZero();
    }

    @Test
    void shouldCountTheBatchesOfABlock() {
        assertThat(proposed.fits(List.of(end(OLD, 8), end(NEW, 2)), 5)).isTrue();
        assertThat(proposed.fits(List.of(end(OLD, 8), end(NEW, 2)), 4)).isFalse();
    }
}
