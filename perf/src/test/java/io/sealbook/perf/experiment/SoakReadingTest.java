package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.ProcessFootprint;
import io.sealbook.perf.results.ResultRow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SoakReadingTest {
    private static final long MIB = 1 << 20;

    @Test
    void shouldFindNothingWhileNothingGrowsBeyondItsBound() {
        SoakReading settled = reading(new ProcessFootprint(100 * MIB, 500 * MIB, 200, 40), 10 * MIB, 100 * MIB);
        SoakReading end = reading(new ProcessFootprint(116 * MIB, 564 * MIB, 216, 56), 9_000 * MIB, 356 * MIB);

        assertThat(end.growthBeyondBounds(settled)).isEmpty();
        assertThat(settled.growthBeyondBounds(end)).isEmpty();
    }

    @Test
    void shouldNameWhatGrowsAndByHowMuchItMay() {
        SoakReading settled = reading(new ProcessFootprint(100 * MIB, 500 * MIB, 200, 40), 10 * MIB, 100 * MIB);
        SoakReading end = reading(new ProcessFootprint(117 * MIB, 565 * MIB, 217, 57), 10 * MIB, 357 * MIB);

        assertThat(end.growthBeyondBounds(settled))
                .containsExactly(
                        "node 0, live heap bytes: 104,857,600 after a third of the time, 122,683,392 at the end,"
                                + " which is more than 16,777,216 more",
                        "node 0, anonymous bytes: 524,288,000 after a third of the time, 592,445,440 at the end,"
                                + " which is more than 67,108,864 more",
                        "node 0, descriptors: 200 after a third of the time, 217 at the end, which is more"
                                + " than 16 more",
                        "node 0, threads: 40 after a third of the time, 57 at the end, which is more than 16 more",
                        "node0, bytes of files besides the archive: 104,857,600 after a third of the time, 374,341,632"
                                + " at the end, which is more than 268,435,456 more");
    }

    @Test
    void shouldAddTheMembers() {
        ProcessFootprint one = new ProcessFootprint(2 * MIB, 3 * MIB, 4, 5);
        SoakReading reading = new SoakReading(
                6,
                Map.of("node 0", one, "engine 0", one),
                Map.of("node0", 7 * MIB),
                Map.of("node0", 8 * MIB, "node1", MIB));

        assertThat(reading.describe())
                .isEqualTo("6 orders; live heap 4 MiB, anonymous memory 6 MiB, 8 descriptors, 10 threads,"
                        + " archives 7 MiB, other files 9 MiB");
        assertThat(reading.addTo(ResultRow.of("a")).figures().values())
                .containsExactlyElementsOf(List.of(4.0, 6.0, 8.0, 10.0, 7.0, 9.0));
    }

    private static SoakReading reading(ProcessFootprint node, long archiveBytes, long otherBytes) {
        return new SoakReading(1, Map.of("node 0", node), Map.of("node0", archiveBytes), Map.of("node0", otherBytes));
    }
}
