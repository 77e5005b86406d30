package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.result.RecordPacker;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Report n is of block 10 + n / 2 here; four reports a file. */
class ReportStoreTest {
    private static final int BROKER = 3;
    private static final int PER_SEGMENT = 4;
    private static final int HEADER_LENGTH = 16;

    @TempDir
    Path directory;

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
            store.append(3, record(3), 0);

            assertThat(store.last()).isEqualTo(2);
            assertThat(store.flush()).isTrue();
            assertThat(store.last()).isEqualTo(3);
            assertThat(store.flush()).isFalse();
        }
    }

    @Test
    void shouldTakePackedReportsInStretchesWhereverAFileBegins() throws IOException {
        SplittableRandom random = new SplittableRandom(17);
        try (ReportStore store = open()) {
            RecordPacker packer = new RecordPacker(ReportStore.RECORD_LENGTH);
            long next = 1;
            boolean isFirst = true;
            while (next < 1_000) {
                int count = random.nextInt(1, 12);
                byte[] packed = new byte[count * packer.packedLengthMax() + RecordPacker.SLACK];
                if (isFirst) {
                    packer.reset();
                }
                int length = 0;
                for (int i = 0; i < count; i++) {
                    length = packer.pack(record(next + i).byteArray(), 0, packed, length);
                }
                // As in a frame, where it may stand at the very end or be followed by anything.
                int before = random.nextInt(3) * 100;
                byte[] bytes = new byte[before + length + random.nextInt(2) * 50];
                Arrays.fill(bytes, (byte) 0xFF);
                System.arraycopy(packed, 0, bytes, before, length);
                store.appendPacked(next, count, isFirst, bytes, before, length);
                next += count;
                isFirst = random.nextInt(3) == 0;
                if (isFirst && random.nextBoolean()) {
                    store.flush();
                }
            }
            store.flush();
            assertThat(read(store, 1)).isEqualTo(records(1, next - 1));
            assertThat(read(store, 750)).isEqualTo(records(750, next - 1));
        }
        assertThat(files()).hasSizeGreaterThan(240);
        try (ReportStore store = open()) {
            assertThat(read(store, 1)).isEqualTo(records(1, store.last()));
        }
    }

    @Test
    void shouldRefuseMorePackedReportsThanAChunkHolds() {
        try (ReportStore store = ReportStore.open(directory, BROKER, 1_000)) {
            store.appendPacked(1, 250, true, new byte[750], 0, 750);

            assertThatThrownBy(() -> store.appendPacked(251, 7, false, new byte[21], 0, 21))
                    .isInstanceOf(BrokenInvariantException.class)
                    .hasMessageContaining("257 reports after one that is packed alone, expected at most 256");
        }
    }

    @Test
    void shouldRefusePackedReportsThatAreADifferenceToNothing() {
        try (ReportStore store = open()) {
            assertThatThrownBy(() -> store.appendPacked(1, 2, false, new byte[64], 0, 64))
                    .isInstanceOf(BrokenInvariantException.class)
                    .hasMessageContaining("report 1 is packed as a difference to nothing");
        }
    }

    @Test
    void shouldRefuseAReportOutOfOrder() {
        try (ReportStore store = open()) {
            append(store, 1, 2);

            assertThatThrownBy(() -> store.append(4, record(4), 0))
                    .isInstanceOf(BrokenInvariantException.class)
                    .hasMessageContaining("report 4 came after 2");
        }
    }

    @Test
    void shouldCutATornChunkWhereverItIsTornAndGoOn() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 5);
            append(store, 6, 7);
        }
        Path newest = files().getLast();
        byte[] whole = Files.readAllBytes(newest);
        for (int length = HEADER_LENGTH; length < whole.length; length++) {
            Files.write(newest, Arrays.copyOf(whole, length));

            try (ReportStore store = open()) {
                assertThat(store.last()).as("of %d bytes", length).isIn(4L, 5L);
                assertThat(read(store, 1)).isEqualTo(records(1, store.last()));
                append(store, store.last() + 1, 7);
                assertThat(read(store, 1)).isEqualTo(records(1, 7));
            }
        }
    }

    @Test
    void shouldCutAChunkThatPowerLossLeftWithoutItsBytes() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 5);
            append(store, 6, 7);
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
                assertThat(store.last()).as("%d bytes kept", kept).isIn(4L, 5L);
                assertThat(read(store, 1)).isEqualTo(records(1, store.last()));
            }
        }
    }

    @Test
    void shouldGoOnBehindAFileWhoseHeadIsTorn() throws IOException {
        for (int length = 0; length < HEADER_LENGTH; length++) {
            try (ReportStore store = open()) {
                store.truncateAfter(0);
                append(store, 1, 5);
            }
            try (RandomAccessFile file = new RandomAccessFile(files().getLast().toFile(), "rw")) {
                file.setLength(length);
            }

            try (ReportStore store = open()) {
                assertThat(store.last()).isEqualTo(4);
                append(store, 5, 9);
                assertThat(read(store, 1)).isEqualTo(records(1, 9));
            }
        }
    }

    @Test
    void shouldRefuseAFileWithADamagedHeadOrOfAnotherBroker() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 5);
        }
        assertThatThrownBy(() -> ReportStore.open(directory, BROKER + 1, PER_SEGMENT))
                .isInstanceOf(UncheckedIOException.class)
                .hasStackTraceContaining("does not hold reports of 153 bytes");
        for (int at = 0; at < HEADER_LENGTH; at++) {
            flip(files().get(0), at);

            assertThatThrownBy(this::open).hasStackTraceContaining("does not hold reports of 153 bytes");

            flip(files().get(0), at);
        }
    }

    @Test
    void shouldNotServeADamagedChunkAndServeWhatIsBeforeIt() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 6);
        }
        Path second = files().get(1);
        int damagedAt = (int) Files.size(second);
        try (ReportStore store = open()) {
            append(store, 7, 10);
        }
        for (int at = damagedAt; at < Files.size(second); at++) {
            flip(second, at);

            try (ReportStore store = open()) {
                assertThat(read(store, 5, 2)).isEqualTo(records(5, 6));
                assertThatThrownBy(() -> read(store, 5, 3)).as("byte %d", at).hasMessageContaining("report 7");
                assertThat(read(store, 9, 2)).isEqualTo(records(9, 10));
            } catch (UncheckedIOException refused) {
                // A header that is none ends the file: the store is then refused as a whole, and rebuilt by a replay.
                assertThat(refused).hasStackTraceContaining("reports, expected 4");
            }
            flip(second, at);
        }
    }

    @Test
    void shouldReadAnyStretchOfManyReports() {
        try (ReportStore store = ReportStore.open(directory, BROKER, 10_000)) {
            SplittableRandom random = new SplittableRandom(11);
            long next = 1;
            while (next < 25_000) {
                long to = next + random.nextInt(random.nextInt(10) == 0 ? 3_000 : 5);
                append(store, next, to);
                next = to + 1;
            }
            for (int i = 0; i < 2_000; i++) {
                long from = 1 + random.nextLong(next - 1);
                int count = (int) Math.min(1 + random.nextInt(700), next - from);
                assertThat(read(store, from, count)).isEqualTo(records(from, from + count - 1));
            }
            long kept = 1 + random.nextLong(next - 1);
            store.truncateAfter(kept);
            append(store, kept + 1, next + 9);
            assertThat(read(store, 1)).isEqualTo(records(1, next + 9));
        }
        try (ReportStore store = ReportStore.open(directory, BROKER, 10_000)) {
            assertThat(read(store, 1)).isEqualTo(records(1, store.last()));
        }
    }

    @Test
    void shouldNoticeThatAFileIsMissing() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 10);
        }
        Files.delete(files().get(1));

        assertThatThrownBy(this::open).hasStackTraceContaining("a file starts at report 9, expected 5");
    }

    @Test
    void shouldForgetEverythingBehindAnyReport() {
        for (long kept = 0; kept <= 10; kept++) {
            try (ReportStore store = open()) {
                append(store, store.last() + 1, 10);
                store.truncateAfter(kept);

                assertThat(store.last()).isEqualTo(kept);
                append(store, kept + 1, 10);
                assertThat(read(store, 1)).isEqualTo(records(1, 10));
            }
        }
    }

    @Test
    void shouldRemoveFilesOfOldBlocksThatNoSnapshotCountsOn() {
        try (ReportStore store = open()) {
            append(store, 1, 10);

            // Report 4, the last of the first file, is of block 12.
            assertThat(store.pruneBefore(11, 10)).isZero();
            assertThat(store.pruneBefore(12, 4))
                    .as("a snapshot counts on report 4")
                    .isZero();
            ByteBuffer underWay = read(store, 1);
            assertThat(store.pruneBefore(12, 5)).isEqualTo(1);

            assertThat(underWay).isEqualTo(records(1, 10));
            assertThat(store.first()).isEqualTo(5);
            assertThat(read(store, 5)).isEqualTo(records(5, 10));
            assertThat(store.read(4, ByteBuffer.allocate(ReportStore.RECORD_LENGTH)))
                    .as("deleted")
                    .isZero();
            assertThat(store.pruneBefore(99, 99)).as("the newest stays").isEqualTo(1);
            assertThat(store.first()).isEqualTo(9);
        }
        try (ReportStore store = open()) {
            assertThat(store.first()).isEqualTo(9);
            append(store, 11, 13);
            assertThat(read(store, 9)).isEqualTo(records(9, 13));
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
            assertThat(store.first()).isGreaterThan(last - 2 * PER_SEGMENT);
        }
    }

    private ReportStore open() {
        return ReportStore.open(directory, BROKER, PER_SEGMENT);
    }

    private static void append(ReportStore store, long from, long to) {
        for (long sequence = from; sequence <= to; sequence++) {
            store.append(sequence, record(sequence), 0);
        }
        store.flush();
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

    private static ByteBuffer records(long from, long to) {
        ByteBuffer bytes = ByteBuffer.allocate((int) (to - from + 1) * ReportStore.RECORD_LENGTH);
        for (long sequence = from; sequence <= to; sequence++) {
            bytes.put(record(sequence).byteArray());
        }
        return bytes.flip();
    }

    private static UnsafeBuffer record(long sequence) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[ReportStore.RECORD_LENGTH]);
        new ExecutionReportEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .reportSequence(sequence)
                .blockSequence(10 + sequence / 2)
                .brokerId(BROKER)
                .clOrdId(1_000 + sequence);
        return buffer;
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
