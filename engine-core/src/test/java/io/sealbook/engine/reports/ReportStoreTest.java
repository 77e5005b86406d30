package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Report n is of block 10 + n / 2 here, so that the first run has one report and each other two. A file ends with the
 * run of its fourth report: files begin with reports 1, 6, 10.
 */
class ReportStoreTest {
    private static final int BROKER = 3;
    private static final int PER_SEGMENT = 4;
    private static final int HEADER_LENGTH = 24;
    /** Those of this process, on Linux. */
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    @TempDir
    Path directory;

    private LongUnaryOperator blockOf = sequence -> 10 + sequence / 2;

    @Test
    void shouldReadOnFromAnyReport() {
        try (ReportStore store = open()) {
            append(store, 1, 10);

            for (long from = 1; from <= 10; from++) {
                assertThat(read(store, from)).isEqualTo(records(from, 10));
            }
            assertThatThrownBy(() -> read(store, 11, 1)).hasMessageContaining("has 1..10, asked for 11");
            assertThatThrownBy(() -> read(store, 0, 1)).hasMessageContaining("has 1..10, asked for 0");
        }
        try (ReportStore store = open()) {
            assertThat(read(store, 1)).isEqualTo(records(1, 10));
        }
    }

    @Test
    void shouldShowNothingThatIsNotFlushed() {
        try (ReportStore store = open()) {
            append(store, 1, 2);
            TestRuns.append(store, TestRuns.run(BROKER, 3, 1, 11), 0);

            assertThat(store.last()).isEqualTo(2);
            assertThat(store.flush()).isTrue();
            assertThat(store.last()).isEqualTo(3);
            assertThat(store.flush()).isFalse();
        }
    }

    @Test
    void shouldTakeRunsOfAnyLengthFromAnywhere() throws IOException {
        SplittableRandom random = new SplittableRandom(17);
        blockOf = sequence -> sequence / 300;
        try (ReportStore store = open()) {
            long next = 1;
            while (next < 5_000) {
                int count = (int) Math.min(random.nextInt(1, random.nextBoolean() ? 3 : 257), 300 - next % 300);
                TestRuns.append(
                        store, TestRuns.run(BROKER, next, count, blockOf.applyAsLong(next)), random.nextInt(3) * 100);
                next += count;
                if (random.nextInt(5) == 0) {
                    store.flush();
                }
            }
            store.flush();
            assertThat(read(store, 1)).isEqualTo(records(1, next - 1));
            assertThat(read(store, 750)).isEqualTo(records(750, next - 1));
        }
        assertThat(files()).hasSizeGreaterThan(10);
        try (ReportStore store = open()) {
            assertThat(read(store, 1)).isEqualTo(records(1, store.last()));
        }
    }

    @Test
    void shouldRefuseAReportOutOfOrder() {
        try (ReportStore store = open()) {
            append(store, 1, 2);

            assertThatThrownBy(() -> append(store, 4, 4))
                    .isInstanceOf(BrokenInvariantException.class)
                    .hasMessageContaining("report 4 came after 2");
        }
    }

    @Test
    void shouldCutATornChunkWhereverItIsTornAndGoOn() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 7);
            append(store, 8, 9);
        }
        Path newest = files().getLast();
        byte[] whole = Files.readAllBytes(newest);
        for (int length = HEADER_LENGTH; length < whole.length; length++) {
            Files.write(newest, Arrays.copyOf(whole, length));

            try (ReportStore store = open()) {
                assertThat(store.last()).as("of %d bytes", length).isIn(5L, 7L);
                assertThat(read(store, 1)).isEqualTo(records(1, store.last()));
                append(store, store.last() + 1, 9);
                assertThat(read(store, 1)).isEqualTo(records(1, 9));
            }
        }
    }

    @Test
    void shouldCutAChunkThatPowerLossLeftWithoutItsBytes() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 7);
            append(store, 8, 9);
        }
        Path newest = files().getLast();
        byte[] whole = Files.readAllBytes(newest);
        for (int kept = HEADER_LENGTH; kept < whole.length; kept++) {
            byte[] zeroed = whole.clone();
            Arrays.fill(zeroed, kept, whole.length, (byte) 0);
            if (Arrays.equals(zeroed, whole)) {
                continue;
            }
            Files.write(newest, zeroed);

            try (ReportStore store = open()) {
                assertThat(store.last()).as("%d bytes kept", kept).isIn(5L, 7L);
                assertThat(read(store, 1)).isEqualTo(records(1, store.last()));
            }
        }
    }

    @Test
    void shouldGoOnBehindAFileWhoseHeadIsTorn() throws IOException {
        for (int length = 0; length < HEADER_LENGTH; length++) {
            try (ReportStore store = open()) {
                store.truncateAfter(0);
                append(store, 1, 7);
            }
            try (RandomAccessFile file = new RandomAccessFile(files().getLast().toFile(), "rw")) {
                file.setLength(length);
            }

            try (ReportStore store = open()) {
                assertThat(store.last()).isEqualTo(5);
                append(store, 6, 9);
                assertThat(read(store, 1)).isEqualTo(records(1, 9));
            }
        }
    }

    @Test
    void shouldRefuseAFileWithADamagedHeadOrOfAnotherBroker() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 9);
        }
        assertThatThrownBy(() -> ReportStore.open(directory, BROKER + 1, PER_SEGMENT, Durability.PROCESS))
                .isInstanceOf(UncheckedIOException.class)
                .hasStackTraceContaining("does not hold the reports of broker 4");
        for (int at = 0; at < HEADER_LENGTH; at++) {
            flip(files().get(1), at);

            assertThatThrownBy(this::open)
                    .hasStackTraceContaining("does not hold the reports of broker 3 after the file of report 1");

            flip(files().get(1), at);
        }
    }

    @Test
    void shouldNotServeADamagedChunkAndServeWhatIsBeforeIt() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 7);
        }
        Path second = files().get(1);
        int damagedAt = (int) Files.size(second);
        try (ReportStore store = open()) {
            append(store, 8, 11);
        }
        for (int at = damagedAt; at < Files.size(second); at++) {
            flip(second, at);

            try (ReportStore store = open()) {
                assertThat(read(store, 6, 2)).isEqualTo(records(6, 7));
                assertThatThrownBy(() -> read(store, 6, 3)).as("byte %d", at).hasMessageContaining("report 8");
                assertThatThrownBy(() -> store.run(8)).as("byte %d", at).hasMessageContaining("report 8");
                assertThat(read(store, 10, 2)).isEqualTo(records(10, 11));
            } catch (UncheckedIOException refused) {
                // A header that is none ends the file: the store is then refused as a whole, and rebuilt by a replay.
                assertThat(refused).hasStackTraceContaining("reports, expected 4");
            }
            flip(second, at);
        }
    }

    @Test
    void shouldReadAnyStretchOfManyReports() {
        try (ReportStore store = ReportStore.open(directory, BROKER, 10_000, Durability.PROCESS)) {
            SplittableRandom random = new SplittableRandom(11);
            blockOf = sequence -> sequence / 700;
            long next = 1;
            long kept = 0;
            while (next < 25_000) {
                long to = next + random.nextInt(random.nextInt(10) == 0 ? 3_000 : 5);
                append(store, next, to);
                kept = to < 15_000 ? to : kept;
                next = to + 1;
            }
            for (int i = 0; i < 2_000; i++) {
                long from = 1 + random.nextLong(next - 1);
                int count = (int) Math.min(1 + random.nextInt(700), next - from);
                assertThat(read(store, from, count)).isEqualTo(records(from, from + count - 1));
            }
            store.truncateAfter(kept);
            append(store, kept + 1, next + 9);
            assertThat(read(store, 1)).isEqualTo(records(1, next + 9));
        }
        try (ReportStore store = ReportStore.open(directory, BROKER, 10_000, Durability.PROCESS)) {
            assertThat(read(store, 1)).isEqualTo(records(1, store.last()));
        }
    }

    @Test
    void shouldNoticeThatAFileIsMissing() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 10);
        }
        Files.delete(files().get(1));

        assertThatThrownBy(this::open)
                .hasStackTraceContaining("does not hold the reports of broker 3 after the file of report 1");
    }

    @Test
    void shouldForgetEverythingBehindAnyRun() {
        for (long kept : new long[] {0, 1, 3, 5, 7, 9, 10}) {
            try (ReportStore store = open()) {
                append(store, store.last() + 1, 10);
                store.truncateAfter(kept);

                assertThat(store.last()).isEqualTo(kept);
                append(store, kept + 1, 10);
                assertThat(read(store, 1)).isEqualTo(records(1, 10));
            }
        }
    }

    /** Whatever ends it: what is left has no gap, and the next start forgets the rest. */
    @Test
    void shouldLeaveNoGapIfItEndsWhileItForgets() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 20);
            List<Path> written = files();
            assertThat(written).hasSizeGreaterThan(4);
            Files.delete(written.get(2)); // So that the deletion of this one fails.

            assertThatThrownBy(() -> store.truncateAfter(3)).isInstanceOf(UncheckedIOException.class);

            assertThat(files()).containsExactlyElementsOf(written.subList(0, 2));
        }
        try (ReportStore store = open()) {
            assertThat(store.last()).isEqualTo(9);
            store.truncateAfter(3);
            append(store, 4, 10);
            assertThat(read(store, 1)).isEqualTo(records(1, 10));
        }
    }

    /** A snapshot ends with a block, and so with a run. */
    @Test
    void shouldRefuseToForgetAPartOfARun() {
        try (ReportStore store = open()) {
            append(store, 1, 10);

            assertThatThrownBy(() -> store.truncateAfter(4))
                    .isInstanceOf(OperatingFailureException.class)
                    .hasMessageContaining("no run begins with report 5");
        }
    }

    @Test
    void shouldRemoveFilesOfOldBlocksThatNoSnapshotCountsOn() {
        try (ReportStore store = open()) {
            append(store, 1, 10);

            // Report 6, the first of the second file, is of block 13.
            assertThat(store.pruneBefore(12, 10)).isZero();
            assertThat(store.pruneBefore(13, 5))
                    .as("a snapshot counts on report 5")
                    .isZero();
            ByteBuffer underWay = read(store, 1);
            assertThat(store.pruneBefore(13, 6)).isEqualTo(1);

            assertThat(underWay).isEqualTo(records(1, 10));
            assertThat(store.first()).isEqualTo(6);
            assertThat(read(store, 6)).isEqualTo(records(6, 10));
            assertThat(store.read(5, ByteBuffer.allocate(ReportStore.RECORD_LENGTH)))
                    .as("deleted")
                    .isZero();
            assertThat(store.run(5)).as("deleted").isEmpty();
            assertThat(store.pruneBefore(99, 99)).as("the newest stays").isEqualTo(1);
            assertThat(store.first()).isEqualTo(10);
        }
        try (ReportStore store = open()) {
            assertThat(store.first()).isEqualTo(10);
            append(store, 11, 13);
            assertThat(read(store, 10)).isEqualTo(records(10, 13));
        }
    }

    @Test
    void shouldReadRightReportsOrNoneWhileFilesAreDeleted() throws Exception {
        int last = 4_000;
        try (ReportStore store = open()) {
            append(store, 1, PER_SEGMENT);
            CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> {
                int deleted = 0;
                ByteBuffer bytes = ByteBuffer.allocate(ReportStore.RECORD_LENGTH);
                while (store.last() < last) {
                    long from = store.first();
                    // Now the file may go, and with the next one its channel is closed.
                    int count = store.read(from, bytes.clear());
                    deleted += count == 0 ? 1 : 0;
                    assertThat(count == 0 || bytes.flip().equals(records(from, from)))
                            .isTrue();
                }
                return deleted;
            });

            for (long from = PER_SEGMENT + 1; from < last; from += PER_SEGMENT) {
                append(store, from, from + PER_SEGMENT - 1);
                store.pruneBefore(Long.MAX_VALUE, from);
            }

            assertThat(reader.get()).isNotNegative();
            assertThat(store.first()).isGreaterThan(last - 4 * PER_SEGMENT);
        }
    }

    @Test
    void shouldKeepFewFilesOpenWhateverNumberItKeeps() throws IOException {
        assumeTrue(Files.exists(DESCRIPTORS), "needs /proc: no " + DESCRIPTORS);
        long last = 4 * 3 * OpenSegments.OPEN_MAX;
        try (ReportStore store = open()) {
            append(store, 1, last);

            assertThat(files()).hasSizeGreaterThan(2 * OpenSegments.OPEN_MAX);
            assertThat(openFiles()).isLessThanOrEqualTo(1 + OpenSegments.OPEN_MAX);
            assertThat(read(store, 1)).isEqualTo(records(1, last));
            assertThat(openFiles()).isLessThanOrEqualTo(1 + OpenSegments.OPEN_MAX);
        }
        assertThat(openFiles()).isZero();
        try (ReportStore store = open()) {
            assertThat(openFiles()).isLessThanOrEqualTo(2);
            assertThat(read(store, 1)).isEqualTo(records(1, last));
            assertThat(openFiles()).isLessThanOrEqualTo(1 + OpenSegments.OPEN_MAX);
            append(store, last + 1, last + 40);
            store.truncateAfter(3);
            append(store, 4, last);
            assertThat(read(store, 1)).isEqualTo(records(1, last));
        }
        assertThat(openFiles()).isZero();
    }

    /** Each read closes a file that another reader may be reading. */
    @Test
    void shouldReadFilesThatAreClosedForOthers() {
        long last = 4 * 4 * OpenSegments.OPEN_MAX;
        try (ReportStore store = open()) {
            append(store, 1, PER_SEGMENT);
            List<CompletableFuture<Void>> readers = IntStream.range(0, 4)
                    .mapToObj(reader -> CompletableFuture.runAsync(() -> {
                        SplittableRandom random = new SplittableRandom(reader);
                        ByteBuffer bytes = ByteBuffer.allocate(ReportStore.RECORD_LENGTH);
                        for (int i = 0; i < 5_000 || store.last() < last; i++) {
                            long from = 1 + random.nextLong(store.last());
                            assertThat(store.read(from, bytes.clear())).isEqualTo(1);
                            assertThat(bytes.flip()).isEqualTo(records(from, from));
                        }
                    }))
                    .toList();

            append(store, PER_SEGMENT + 1, last);

            readers.forEach(CompletableFuture::join);
        }
    }

    private long openFiles() throws IOException {
        long count = 0;
        try (Stream<Path> links = Files.list(DESCRIPTORS)) {
            for (Path link : (Iterable<Path>) links::iterator) {
                count += target(link).startsWith(directory.toRealPath().toString()) ? 1 : 0;
            }
        }
        return count;
    }

    /** Returns what a descriptor is of; nothing if it is closed meanwhile. */
    private static String target(Path link) throws IOException {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    private ReportStore open() {
        return ReportStore.open(directory, BROKER, PER_SEGMENT, Durability.PROCESS);
    }

    private void append(ReportStore store, long from, long to) {
        TestRuns.append(store, from, to, blockOf);
    }

    /** Reads everything from a report on, file by file. */
    private static ByteBuffer read(ReportStore store, long from) {
        return read(store, from, (int) (store.last() - from + 1));
    }

    private static ByteBuffer read(ReportStore store, long from, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count * ReportStore.RECORD_LENGTH);
        long next = from;
        do {
            next += store.read(next, bytes);
        } while (next < from + count);
        return bytes.flip();
    }

    private ByteBuffer records(long from, long to) {
        ByteBuffer bytes = ByteBuffer.allocate((int) (to - from + 1) * ReportStore.RECORD_LENGTH);
        for (long sequence = from; sequence <= to; sequence++) {
            bytes.put(TestRuns.report(BROKER, sequence, blockOf.applyAsLong(sequence)));
        }
        return bytes.flip();
    }

    private static void flip(Path path, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        bytes[at] ^= 1;
        Files.write(path, bytes);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }
}
