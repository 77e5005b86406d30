package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.result.ReportRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockRunReaderTest {
    private static final int BROKER = 4;
    private static final int FULL = ReportRun.COUNT_MAX;
    /** Two blocks: of two full runs and a short one, and of two full ones. */
    private static final int FIRST_BLOCK = 2 * FULL + 88;

    private static final int LAST = FIRST_BLOCK + 2 * FULL;
    private static final int RUNS = 5;

    @TempDir
    Path directory;

    private final List<Long> reads = new ArrayList<>();

    /** A full run does not say whether another one of its block follows: that one is read, and kept until its turn. */
    @Test
    void shouldReadEachRunOnce() {
        try (ReportStore store = ReportStore.open(directory, BROKER, 100_000, Durability.PROCESS)) {
            TestRuns.append(store, 1, LAST, report -> report <= FIRST_BLOCK ? 7 : 8);
            BlockRunReader reader = new BlockRunReader(BROKER, sequence -> {
                reads.add(sequence);
                return store.run(sequence);
            });
            assertThat(reader.moveToBlockOf(1)).isTrue();

            List<StoredRun> runs = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                runs.add(reader.take(LAST).orElseThrow());
            }

            assertThat(reads)
                    .containsExactly(1L, FULL + 1L, 2L * FULL + 1, FIRST_BLOCK + 1L, (long) FIRST_BLOCK + FULL + 1);
            assertThat(runs).extracting(run -> run.header().first()).isEqualTo(reads);
            assertThat(runs).extracting(StoredRun::isLast).containsExactly(false, false, true, false, true);
        }
    }

    @Test
    void shouldGoOnWithWhatItReadOnTheWayToTheBlock() {
        try (ReportStore store = ReportStore.open(directory, BROKER, 100_000, Durability.PROCESS)) {
            TestRuns.append(store, 1, LAST, report -> report <= FIRST_BLOCK ? 7 : 8);
            BlockRunReader reader = new BlockRunReader(BROKER, sequence -> {
                reads.add(sequence);
                return store.run(sequence);
            });

            assertThat(reader.moveToBlockOf(FIRST_BLOCK + FULL + 5)).isTrue();
            assertThat(reads).containsExactly(FIRST_BLOCK + FULL + 5L, FIRST_BLOCK + FULL + 0L, FIRST_BLOCK + 0L);
            assertThat(reader.take(LAST).orElseThrow().header().first()).isEqualTo(FIRST_BLOCK + 1);
        }
    }

    @Test
    void shouldFindNothingThatIsNotKept() {
        BlockRunReader reader = new BlockRunReader(BROKER, sequence -> Optional.empty());

        assertThat(reader.moveToBlockOf(5)).isFalse();
        assertThat(reader.take(9)).isEmpty();
    }
}
