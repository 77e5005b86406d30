package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stores read of their files, of which there are more than are open at a time. */
class ReportReadsTest {
    /** Those of this thread, on Linux. */
    private static final Path COUNTERS = Path.of("/proc/thread-self/io");

    private static final int STORES = 4;
    private static final int FILES = 12;
    private static final int PER_SEGMENT = 16 << 10;
    private static final int PER_BLOCK = 200;
    /** One piece and a stretch, both with a chunk that goes on after them, and the counters themselves. */
    private static final long READ_MAX = ReportIndex.PIECE_LENGTH + ReportIndex.STRETCH_LENGTH + (80 << 10);

    @TempDir
    Path directory;

    @Test
    void shouldReadOnePieceOfAFileThatWasClosedForOthers() throws IOException {
        assumeTrue(Files.exists(COUNTERS), "needs /proc: no " + COUNTERS);
        try (ReportStores stores = filled()) {
            readEachFile(stores);

            long before = bytesRead();
            readEachFile(stores);
            long read = bytesRead() - before;

            assertThat(2 * READ_MAX).as("the rest of a file is more").isLessThan(fileLength());
            assertThat(read / (STORES * FILES)).isBetween(1L, READ_MAX);
        }
    }

    @Test
    void shouldFindEachReportOfAFileThatWasClosedForOthers() throws IOException {
        try (ReportStores stores = filled()) {
            for (int round = 0; round < 3; round++) {
                readEachFile(stores);
                ReportStore store = stores.of(round + 1).orElseThrow();
                ByteBuffer bytes = ByteBuffer.allocate(ReportStore.RECORD_LENGTH);
                for (long sequence = 1 + round; sequence <= 2 * PER_SEGMENT; sequence += 37) {
                    assertThat(store.read(sequence, bytes.clear())).isEqualTo(1);
                    assertThat(bytes.flip())
                            .isEqualTo(ByteBuffer.wrap(TestRuns.report(store.brokerId(), sequence, block(sequence))));
                }
            }
            ReportStore store = stores.of(1).orElseThrow();
            readEachFile(stores);
            long kept = PER_BLOCK * (2L * PER_SEGMENT / PER_BLOCK) - 1;
            store.truncateAfter(kept);
            TestRuns.append(store, kept + 1, 3 * PER_SEGMENT, ReportReadsTest::block);
            for (long sequence = PER_SEGMENT; sequence <= store.last(); sequence += 37) {
                assertThat(store.read(sequence, ByteBuffer.allocate(ReportStore.RECORD_LENGTH)))
                        .isEqualTo(1);
            }
        }
    }

    /** On the thread that commits, in a replica. */
    @Test
    void shouldReadOneChunkToSeeThatNothingIsOldEnough() throws IOException {
        assumeTrue(Files.exists(COUNTERS), "needs /proc: no " + COUNTERS);
        TreeMap<Integer, Long> needed = new TreeMap<>();
        try (ReportStores stores = filled()) {
            stores.all().forEach(store -> needed.put(store.brokerId(), store.last()));

            long before = bytesRead();
            assertThat(stores.pruneBefore(1, needed)).isZero();
            long read = bytesRead() - before;

            assertThat(read / STORES).isBetween(1L, 2L * ReportChunk.LENGTH_MAX);
        }
    }

    /** Reads a report in the middle of each file: of the first ones of all stores, then of the next ones. */
    private static void readEachFile(ReportStores stores) {
        ByteBuffer bytes = ByteBuffer.allocate(ReportStore.RECORD_LENGTH);
        for (int file = 0; file < FILES; file++) {
            long sequence = (long) file * PER_SEGMENT + PER_SEGMENT / 2;
            for (ReportStore store : stores.all()) {
                assertThat(store.read(sequence, bytes.clear())).isEqualTo(1);
            }
        }
    }

    /** Returns stores that are opened again, without an index of their older files. */
    private ReportStores filled() {
        List<Integer> brokers = IntStream.rangeClosed(1, STORES).boxed().toList();
        try (ReportStores stores = new ReportStores(directory, brokers, PER_SEGMENT, Durability.PROCESS)) {
            for (ReportStore store : stores.all()) {
                for (long first = 1; first <= (long) FILES * PER_SEGMENT; first += PER_BLOCK) {
                    TestRuns.append(store, first, first + PER_BLOCK - 1, ReportReadsTest::block);
                }
            }
        }
        return new ReportStores(directory, brokers, PER_SEGMENT, Durability.PROCESS);
    }

    private static long block(long sequence) {
        return 10 + sequence / PER_BLOCK;
    }

    private long fileLength() throws IOException {
        return Files.size(directory.resolve("broker-1").resolve(String.format(Locale.ROOT, "%020d.reports", 1)));
    }

    /** Returns the number of bytes that this thread has read. */
    private static long bytesRead() throws IOException {
        String rchar = Files.readAllLines(COUNTERS).getFirst();
        return Long.parseLong(rchar.substring(rchar.indexOf(' ') + 1));
    }
}
