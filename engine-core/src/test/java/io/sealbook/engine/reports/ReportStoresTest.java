package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportStoresTest {
    @TempDir
    Path directory;

    /** A block of one broker must not wake the streams of all. */
    @Test
    void shouldNotifyOfTheBrokersThatHaveNewReports() {
        List<Integer> notified = new ArrayList<>();
        try (ReportStores stores = new ReportStores(directory, List.of(1, 2, 3), 1_000, Durability.PROCESS)) {
            stores.onFlushed(notified::add);
            TestRuns.append(stores.of(2).orElseThrow(), TestRuns.run(2, 1, 3, 1), 0);
            end(stores, 1);
            assertThat(notified).containsExactly(2);

            notified.clear();
            end(stores, 2);
            assertThat(notified).isEmpty();

            TestRuns.append(stores.of(1).orElseThrow(), TestRuns.run(1, 1, 1, 3), 0);
            TestRuns.append(stores.of(2).orElseThrow(), TestRuns.run(2, 4, 1, 3), 0);
            end(stores, 3);
            assertThat(notified).containsExactly(1, 2);
        }
    }

    /** A block whose runs fill the buffer is written before its end. */
    @Test
    void shouldNotifyOfReportsThatWereWrittenBeforeTheEndOfTheirBlock() {
        List<Integer> notified = new ArrayList<>();
        try (ReportStores stores = new ReportStores(directory, List.of(1), 1_000, Durability.PROCESS)) {
            stores.onFlushed(notified::add);
            TestRuns.append(stores.of(1).orElseThrow(), TestRuns.run(1, 1, 1, 1), 0);
            stores.of(1).orElseThrow().flush();

            end(stores, 1);

            assertThat(notified).containsExactly(1);
        }
    }

    /** A reader that a block wakes must find it, and the reports of all its brokers. */
    @Test
    void shouldCountABlockAsReadableBeforeItsReadersWake() {
        List<Long> lastBlocks = new ArrayList<>();
        List<Long> lastReports = new ArrayList<>();
        try (ReportStores stores = new ReportStores(directory, List.of(1, 2), 1_000, Durability.PROCESS)) {
            stores.onFlushed(brokerId -> {
                lastBlocks.add(stores.lastBlock());
                lastReports.add(stores.of(2).orElseThrow().last());
            });
            TestRuns.append(stores.of(1).orElseThrow(), TestRuns.run(1, 1, 1, 7), 0);
            TestRuns.append(stores.of(2).orElseThrow(), TestRuns.run(2, 1, 3, 7), 0);

            end(stores, 7);

            assertThat(lastBlocks).containsExactly(7L, 7L);
            assertThat(lastReports).containsExactly(3L, 3L);
        }
    }

    private static void end(ReportStores stores, long block) {
        stores.endBlock();
        stores.flush(block);
    }
}
