package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {
    @Test
    void shouldTakeTheMedianAndTheMiddleHalfOfTheTurns() {
        Turns.Ratio ratio = Turns.Ratio.of(List.of(0.9, 5.0, 0.7, 1.0, 0.8));

        assertThat(ratio.median()).isEqualTo(0.9);
        assertThat(ratio.spread()).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void shouldInterpolateBetweenTheMiddleTurns() {
        Turns.Ratio ratio = Turns.Ratio.of(List.of(1.0, 2.0));

        assertThat(ratio.median()).isEqualTo(1.5);
        assertThat(ratio.spread()).isEqualTo(0.25);
    }

    @Test
    void shouldHaveNoSpreadInOneTurn() {
        assertThat(Turns.Ratio.of(List.of(0.5))).isEqualTo(new Turns.Ratio(0.5, 0));
    }
}
