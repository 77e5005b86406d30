package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of a block is a rule of the chain: every replica and every later reader computes the same. */
class BlockOrderTest {
    private static final List<BatchRange> RANGES = List.of(range(1, 0, 2), range(1, 1, 1), range(2, 0, 3));
    private static final List<List<String>> BATCHES =
            List.of(List.of("1.a1", "1.a2"), List.of("1.b1"), List.of("2.a1", "2.a2", "2.a3"));

    private static BatchRange range(int broker, int session, long count) {
        SessionEnd last = new SessionEnd(SessionKey.of(broker, session), count, TestCluster.batchId(1));
        return new BatchRange(last, 0, Digest.ZERO);
    }

    @Test
    void shouldServeBrokersInTurnAndOfEachItsSessionsInTurn() {
        assertThat(BlockOrder.of(2, RANGES, BATCHES)).containsExactly("1.a1", "2.a1", "1.b1", "2.a2", "1.a2", "2.a3");
    }

    /** Nobody trades first in each block, with whichever of its sessions. */
    @Test
    void shouldLetAnotherBrokerAndSessionBeginWithTheNextSequence() {
        assertThat(BlockOrder.of(3, RANGES, BATCHES)).containsExactly("2.a1", "1.b1", "2.a2", "1.a1", "2.a3", "1.a2");
        assertThat(BlockOrder.of(4, RANGES, BATCHES)).isEqualTo(BlockOrder.of(2, RANGES, BATCHES));
    }

    @Test
    void shouldGiveABrokerWithMoreSessionsNoMoreTurns() {
        List<BatchRange> ranges = List.of(range(1, 0, 2), range(1, 1, 2), range(1, 2, 2), range(2, 0, 2));
        List<List<String>> batches = List.of(
                List.of("1.a1", "1.a2"), List.of("1.b1", "1.b2"), List.of("1.c1", "1.c2"), List.of("2.a1", "2.a2"));

        assertThat(BlockOrder.of(6, ranges, batches))
                .containsExactly("1.a1", "2.a1", "1.b1", "2.a2", "1.c1", "1.a2", "1.b2", "1.c2");
    }
}
