package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.broker.LoadRun;
import io.sealbook.perf.cluster.CpuTimes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThroughputRowTest {
    @Test
    void shouldGiveWhatBrokersOfAnOpenLoopHaveSubmitted() {
        assertThat(row(100).toResult("open").figures()).containsEntry("submittedPerSecond", 33.0);
    }

    @Test
    void shouldHaveNoSuchFigureOfAClosedLoop() {
        assertThat(row(0).toResult("closed").figures()).doesNotContainKey("submittedPerSecond");
    }

    private static ThroughputRow row(double intendedPerSecond) {
        LoadRun run = LoadRun.begin(30, Duration.ofSeconds(10));
        return ThroughputRow.of(
                run,
                intendedPerSecond,
                new BlockPhases(0, 0, 0, 0, 0, 0),
                new CpuTimes(3, 1, 1, 0),
                List.of(),
                10,
                330,
                new Lag(0, 0, 0, 0),
                RateSeries.of(run, 0));
    }
}
