package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailoverRateTest {
    /** A load of 100 batches per second that lost its pace, over 30 s. */
    @Test
    void shouldCountWhatBrokersHaveSubmitted() {
        FailoverCluster.Held held = FailoverCluster.Held.of(45_000, 30, 30_000_000_000L);

        assertThat(held.orders()).isEqualTo(45_000);
        assertThat(held.batchesPerSecond()).isEqualTo(50);
    }
}
