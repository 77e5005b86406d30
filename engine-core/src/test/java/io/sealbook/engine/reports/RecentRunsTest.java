package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecentRunsTest {
    private final RecentRuns recent = new RecentRuns();

    @Test
    void shouldFindTheBlockOfEachOfItsReports() {
        List<PackedRun> first = List.of(run(1, 256, 10, false), run(257, 4, 10, true));
        List<PackedRun> second = List.of(run(261, 1, 10, true));
        recent.add(first);
        recent.add(second);

        assertThat(recent.blockOf(1)).contains(first);
        assertThat(recent.blockOf(260)).contains(first);
        assertThat(recent.blockOf(261)).contains(second);
        assertThat(recent.blockOf(262)).isEmpty();
        assertThat(recent.blockOf(0)).isEmpty();
    }

    @Test
    void shouldForgetTheFirstBlocksBeyondItsBytesAndKeepTheLast() {
        int half = RecentRuns.BYTES_MAX / 2;
        recent.add(List.of(run(1, 1, half, true)));
        recent.add(List.of(run(2, 1, half, true)));
        assertThat(recent.blockOf(1)).isPresent();

        recent.add(List.of(run(3, 1, 1, true)));
        assertThat(recent.blockOf(1)).isEmpty();
        assertThat(recent.blockOf(2)).isPresent();

        recent.add(List.of(run(4, 1, 2 * RecentRuns.BYTES_MAX, true)));
        assertThat(recent.blockOf(3)).isEmpty();
        assertThat(recent.blockOf(4)).isPresent();
    }

    private static PackedRun run(long first, int count, int length, boolean isLast) {
        return new PackedRun(first, count, new byte[length], isLast);
    }
}
