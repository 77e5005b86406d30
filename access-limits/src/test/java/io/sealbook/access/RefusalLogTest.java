package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalLogTest {
    private final List<String> lines = new ArrayList<>();
    private final List<Runnable> timers = new ArrayList<>();
    private final RefusalLog log = new RefusalLog("node 0: VOTE", "refused_total", lines::add, (task, delayMs) -> {
        assertThat(delayMs).isEqualTo(RefusalLog.INTERVAL_MS);
        timers.add(task);
    });

    @Test
    void shouldLogAFewAsTheyAre() {
        log.refused("/127.0.0.9:4711", "handshake: MALFORMED");

        assertThat(lines).containsExactly("node 0: VOTE connection /127.0.0.9:4711: handshake: MALFORMED");
    }

    @Test
    void shouldSayHowManyMoreThereWere() {
        for (int i = 0; i < 7_012; i++) {
            log.refused(i, "garbage");
        }
        assertThat(lines).hasSize(RefusalLog.LINES_MAX);
        assertThat(timers).hasSize(1);

        timers.removeFirst().run();

        assertThat(lines).hasSize(RefusalLog.LINES_MAX + 1);
        assertThat(lines.getLast())
                .startsWith("node 0: VOTE: " + (7_012 - RefusalLog.LINES_MAX) + " more refused within");
    }

    @Test
    void shouldBeginAnewWithEachInterval() {
        for (int interval = 0; interval < 3; interval++) {
            for (int i = 0; i < RefusalLog.LINES_MAX; i++) {
                log.refused(i, "garbage");
            }
            timers.removeFirst().run();
        }

        assertThat(lines).hasSize(3 * RefusalLog.LINES_MAX).noneMatch(line -> line.contains("more"));
        assertThat(timers).isEmpty();
    }
}
