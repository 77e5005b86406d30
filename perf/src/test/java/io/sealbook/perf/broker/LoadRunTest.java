package io.sealbook.perf.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadRunTest {
    private static final int BROKERS = 4;
    private static final double INTERVAL_NS = 4_000_000;

    /** A broker that waited for a batch that is due after the run would submit more than the rate says. */
    @Test
    void shouldContainExactlyTheBatchesOfItsRate() throws InterruptedException {
        LoadRun run = LoadRun.begin(1, Duration.ofMillis(100));
        int due = 0;

        for (int broker = 0; broker < BROKERS; broker++) {
            Pace pace = Pace.openLoop(run.startNs() + (long) (INTERVAL_NS * broker / BROKERS), INTERVAL_NS);
            while (run.contains(pace.awaitNext())) {
                due++;
            }
        }

        assertThat(run.seconds()).isEqualTo(0.1);
        assertThat(due).isEqualTo(100);
    }
}
