package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.broker.LoadRun;
import io.sealbook.perf.cluster.CpuTimes;
import io.sealbook.perf.cluster.ProcessCounts;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuietRowTest {
    private static final ProcessCounts MEMBERS = new ProcessCounts(Map.of("loop", 9_000L), 0, 0, 0);
    private static final ProcessCounts BROKERS = new ProcessCounts(Map.of("client", 1_000L), 0, 0, 0);

    /** Half of what was intended, in a run of 10 s whose last receipts took 2 s more. */
    @Test
    void shouldDivideByTheBatchesThatWereSubmitted() {
        LoadRun run = LoadRun.begin(30, Duration.ofSeconds(10));
        QuietRow row = new QuietRow(30, 100, 500, 12, MEMBERS, BROKERS, 0, new CpuTimes(3, 1, 1, 0), run);

        assertThat(row.toResult().label()).isEqualTo("100 batches/s of 30");
        assertThat(row.toResult().figures())
                .containsEntry("batchesPerSecond", 50.0)
                .containsEntry("memberBatchWakeUps", 18.0)
                .containsEntry("batchCoreMs", 10.0)
                .containsEntry("memberWakeUps", 750.0);
    }

    @Test
    void shouldHaveNoFiguresPerBatchWithoutLoad() {
        QuietRow row = new QuietRow(30, 0, 0, 10, MEMBERS, BROKERS, 0, new CpuTimes(3, 1, 1, 0), null);

        assertThat(row.toResult().figures())
                .containsEntry("batchesPerSecond", 0.0)
                .doesNotContainKeys("memberBatchWakeUps", "batchCoreMs");
    }
}
