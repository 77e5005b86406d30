package io.sealbook.engine.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentFiguresTest {
    private static final long MS = 1_000_000;

    @Test
    void shouldHaveNoFiguresWithoutBlocks() {
        RecentFigures figures = new RecentFigures(List.of());

        assertThat(figures.ordersPerSecond()).isZero();
        assertThat(figures.blocksPerSecond()).isZero();
        assertThat(figures.latencyMs(50)).isEmpty();
    }

    @Test
    void shouldCountWhatWasExecutedAfterTheOldestBlock() {
        // Executed at 100, 110 and 150 ms: two blocks and 70 orders in 50 ms.
        RecentFigures figures =
                new RecentFigures(List.of(block(3, 150, 5, 40), block(2, 110, 5, 30), block(1, 100, 5, 99)));

        assertThat(figures.blocksPerSecond()).isEqualTo(40);
        assertThat(figures.ordersPerSecond()).isEqualTo(1_400);
    }

    @Test
    void shouldHaveNoRateOfASingleBlockOrOfNoTime() {
        assertThat(new RecentFigures(List.of(block(1, 100, 5, 9))).blocksPerSecond())
                .isZero();
        assertThat(new RecentFigures(List.of(block(2, 100, 5, 9), block(1, 100, 5, 9))).ordersPerSecond())
                .isZero();
    }

    @Test
    void shouldRankLatencies() {
        RecentFigures figures = new RecentFigures(IntStream.rangeClosed(1, 101)
                .mapToObj(i -> block(102 - i, 1_000, i * 37 % 101, 1))
                .toList());

        assertThat(figures.latencyMs(0)).hasValue(0);
        assertThat(figures.latencyMs(50)).hasValue(50);
        assertThat(figures.latencyMs(99)).hasValue(99);
        assertThat(figures.latencyMs(100)).hasValue(100);
        assertThatThrownBy(() -> figures.latencyMs(101)).hasMessage("percent is 101, expected 0..100");
    }

    private static ExecutedBlock block(long sequence, long executedMs, long latencyMs, int orders) {
        return new ExecutedBlock(
                sequence,
                (executedMs - latencyMs) * MS,
                executedMs * MS,
                MS,
                1,
                orders,
                0,
                orders,
                0,
                Digest.ZERO,
                Digest.ZERO);
    }
}
