package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LinePaceTest {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(LinePace.INTERVAL_S);

    private final LinePace pace = new LinePace();

    @Test
    void shouldLeaveOutLinesBeyondTheBoundAndCountThem() {
        List<String> lines = lines(3, LinePace.LINES_MAX + 7, 0);

        assertThat(lines).hasSize(LinePace.LINES_MAX).containsOnly("lost");
        assertThat(pace.of(3, "lost", INTERVAL_NS - 1)).isEmpty();
        assertThat(pace.of(3, "lost", INTERVAL_NS)).isEqualTo("lost; 8 such lines before it were left out");
        assertThat(pace.of(3, "lost", INTERVAL_NS + 1)).isEqualTo("lost");
    }

    @Test
    void shouldLeaveTheLinesOfOtherPeersAlone() {
        lines(3, 1_000, 0);

        assertThat(pace.of(0, "connected", 1)).isEqualTo("connected");
        assertThat(pace.of(7, "connected", 1)).isEqualTo("connected");
    }

    private List<String> lines(int peer, int count, long nowNs) {
        return IntStream.range(0, count)
                .mapToObj(each -> pace.of(peer, "lost", nowNs))
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
