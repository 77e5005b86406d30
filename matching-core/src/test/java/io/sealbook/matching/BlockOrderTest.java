package io.sealbook.matching;

import static io.sealbook.matching.Batch.limit;
import static io.sealbook.protocol.sbe.Side.BUY;
import static io.sealbook.protocol.sbe.Side.SELL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.BrokenInvariantException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Blocks come one after another, and each moves the result digest as the contract says. */
class BlockOrderTest {
    private final CoreDriver market = new CoreDriver(Markets.two());
    private final MatchingCore core = market.core;

    @Test
    void shouldMoveTheDigestOnAnEmptyBlock() {
        String before = market.digest();
        market.block();

        assertThat(before).isEqualTo("0".repeat(64));
        assertThat(market.digest()).isNotEqualTo(before);
    }

    @Test
    void shouldCountWhatABlockHolds() {
        market.block(Batch.of(1, 1, 1, limit(11, 1, BUY, 100, 1), limit(12, 1, SELL, 100, 1)));
        assertThat(core.blockEntryCount()).isEqualTo(2);
        assertThat(core.blockTradeCount()).isEqualTo(1);
        assertThat(core.lastReportSequence(1)).isEqualTo(4);

        market.block();
        assertThat(core.blockEntryCount()).isZero();
        assertThat(core.blockTradeCount()).isZero();
        assertThat(core.entryCount()).isEqualTo(2);
    }

    @Test
    void shouldStopAtABrokenInvariant() {
        assertThatThrownBy(core::endBlock).isInstanceOf(BrokenInvariantException.class);
        assertThatThrownBy(() -> core.onBatch(0, new UnsafeBuffer(new byte[8]), 0, 8))
                .isInstanceOf(BrokenInvariantException.class);
        assertThatThrownBy(() -> core.beginBlock(2, 0, market)).hasMessage("block 2 follows block 0");
        core.beginBlock(1, 5, market);
        assertThatThrownBy(() -> core.beginBlock(2, 5, market)).hasMessage("block 1 is open");
        core.endBlock();
        assertThatThrownBy(() -> core.beginBlock(2, 4, market)).hasMessageContaining("before the last block's");
    }

    @Test
    void shouldShowAnOrderAndItsDepth() {
        market.block(
                Batch.of(1, 1, 1, limit(11, 1, BUY, 100, 8), limit(12, 1, BUY, 98, 5)),
                Batch.of(2, 2, 1, limit(21, 1, SELL, 100, 3)));

        RestingOrder order = core.findOrder(1, 11).orElseThrow();
        assertThat(order.cumQty()).isEqualTo(3);
        assertThat(order.leavesQty()).isEqualTo(5);
        assertThat(order.cumValue()).isEqualTo(300);
        assertThat(core.findOrder(2, 21)).isEmpty();
        assertThat(core.findOrder(7, 11)).isEmpty();
        assertThat(core.bids(1, 1, (price, quantity, count) -> assertThat(price).isEqualTo(100)))
                .isEqualTo(1);
        assertThat(core.bids(99, 1, (price, quantity, count) -> {})).isZero();
        assertThat(market.bids(1)).containsExactly("5@100", "5@98");
    }
}
