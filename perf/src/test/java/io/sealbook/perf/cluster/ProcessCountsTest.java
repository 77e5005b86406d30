package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessCountsTest {
    private static final List<Long> SELF = List.of(ProcessHandle.current().pid());

    @Test
    void shouldCountHowOftenAThreadWasWoken() throws Exception {
        Thread sleeper = Thread.ofPlatform().name("sleeper").daemon().start(() -> {
            try {
                while (true) {
                    Thread.sleep(1);
                }
            } catch (InterruptedException e) {
                // The test is over.
            }
        });
        try {
            ProcessCounts before = ProcessCounts.of(SELF);
            ProcessCounts growth = before.minus(before);
            while (growth.wakeUps().getOrDefault("sleeper", 0L) < 5) {
                growth = ProcessCounts.of(SELF).minus(before);
            }
            // Reading proc(5) is counted, too.
            assertThat(growth.reads()).isPositive();
            assertThat(growth.allWakeUps()).isGreaterThanOrEqualTo(5);
        } finally {
            sleeper.interrupt();
        }
    }

    @Test
    void shouldAddThreadsOfOneNameAndIgnoreThoseThatHaveEnded() {
        ProcessCounts earlier = new ProcessCounts(Map.of("loop", 7L, "ended", 9L), 1, 2, 3);
        ProcessCounts later = new ProcessCounts(Map.of("loop", 10L, "new", 4L), 5, 7, 9);

        assertThat(later.minus(earlier)).isEqualTo(new ProcessCounts(Map.of("loop", 3L, "new", 4L), 4, 5, 6));
        assertThat(later.minus(earlier).allWakeUps()).isEqualTo(7);
    }

    @Test
    void shouldReadNamesAndValuesOfStatus() {
        assertThat(ProcessCounts.fields(List.of("Name:\tloop-0: a", "Umask:\t0022", "voluntary_ctxt_switches:\t150")))
                .containsEntry("Name", "loop-0: a")
                .containsEntry("voluntary_ctxt_switches", "150");
    }
}
