package io.sealbook.perf.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void shouldCountFromTheTimesAtWhichBatchesWereDueHoweverLateTheSender() throws InterruptedException {
        long firstNs = System.nanoTime() - SECOND_NS;
        Pace pace = Pace.openLoop(firstNs, 1_500.5);

        assertThat(pace.awaitNext()).isEqualTo(firstNs);
        assertThat(pace.awaitNext()).isEqualTo(firstNs + 1_500);
        assertThat(pace.awaitNext()).isEqualTo(firstNs + 3_001);
    }

    @Test
    void shouldNotSendBeforeABatchIsDue() throws InterruptedException {
        long firstNs = System.nanoTime() + SECOND_NS / 100;

        long dueNs = Pace.openLoop(firstNs, 1).awaitNext();

        assertThat(dueNs).isEqualTo(firstNs);
        assertThat(System.nanoTime() - firstNs).isNotNegative();
    }

    @Test
    void shouldSendAtOnceInAClosedLoop() throws InterruptedException {
        long beforeNs = System.nanoTime();

        assertThat(Pace.closedLoop(0).awaitNext() - beforeNs).isNotNegative();
    }
}
