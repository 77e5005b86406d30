package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Report n is of block n / 10 here. A file ends with the run of its thousandth report: files begin with reports 1,
 * 1010, 2010, 3010.
 */
class ReportScanTest {
    private static final int PER_SEGMENT = 1_000;

    @TempDir
    private Path directory;

    @Test
    void shouldReadAllFilesInOrder() {
        try (ReportStore store = open()) {
            append(store, 1, 3_500);
        }

        assertThat(scan(1)).isEqualTo(sequences(1, 3_500));
    }

    @Test
    void shouldSkipFilesOfEarlierBlocksAlone() {
        try (ReportStore store = open()) {
            append(store, 1, 3_500);
        }

        assertThat(scan(201)).isEqualTo(sequences(1_010, 3_500));
        assertThat(scan(202)).isEqualTo(sequences(2_010, 3_500));
        assertThat(scan(10_000)).isEqualTo(sequences(3_010, 3_500));
    }

    @Test
    void shouldReadBesideAnEngineWhatItHasWritten() {
        try (ReportStore store = open()) {
            append(store, 1, 10);
            assertThat(scan(1)).isEqualTo(sequences(1, 10));
            append(store, 11, 1_500);
            assertThat(scan(1)).isEqualTo(sequences(1, 1_500));
        }
    }

    @Test
    void shouldEndWhereTheNewestFileIsTorn() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 1_100);
        }
        Path newest = file(1_010);
        byte[] bytes = Files.readAllBytes(newest);
        for (int length : new int[] {25, 24, 23, 0}) {
            Files.write(newest, Arrays.copyOf(bytes, length));

            assertThat(scan(1)).as("%d bytes", length).isEqualTo(sequences(1, 1_009));
        }
        Files.write(newest, Arrays.copyOf(bytes, bytes.length - 1));
        assertThat(scan(1)).as("without the last run").isEqualTo(sequences(1, 1_099));
    }

    @Test
    void shouldNameAFileThatIsDamagedOrOfAnotherKind() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 1_100);
        }
        Path first = file(1);
        byte[] bytes = Files.readAllBytes(first);
        for (int at : new int[] {0, 12, 24, 30, 60, bytes.length - 1}) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 1;
            Files.write(first, damaged);

            assertThatThrownBy(() -> scan(1))
                    .as("byte %d", at)
                    .isInstanceOf(OperatingFailureException.class)
                    .hasMessageContaining(first.toString());
        }
    }

    /** Most brokers have one file, the newest. Of its last chunk alone a crash may be the cause. */
    @Test
    void shouldNameTheNewestFileIfAChunkBeforeItsLastIsDamaged() throws IOException {
        Path newest = writeSmallFiles();
        byte[] bytes = Files.readAllBytes(newest);
        int last = bytes.length - ReportChunk.HEADER_LENGTH - TestRuns.run(1, 70, 1, 7).length;
        for (int at = ReportSegment.HEADER_LENGTH; at < last; at = next(at)) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            Files.write(newest, damaged);

            assertThatThrownBy(() -> scan(1))
                    .as("byte %d", at)
                    .isInstanceOf(OperatingFailureException.class)
                    .hasMessageContaining(newest.toString());
        }
    }

    /** However much is damaged, a whole chunk after it shows that it is no torn end. */
    @Test
    void shouldNameTheNewestFileIfMuchOfItIsDamaged() throws IOException {
        try (ReportStore store = ReportStore.open(directory, 1, 100_000, Durability.PROCESS)) {
            append(store, 1, 20_000);
        }
        byte[] bytes = Files.readAllBytes(file(1));
        Arrays.fill(bytes, 5_000, bytes.length - 5_000, (byte) 0);
        Files.write(file(1), bytes);

        assertThatThrownBy(() -> scan(1))
                .isInstanceOf(OperatingFailureException.class)
                .hasMessageContaining(file(1).toString());

        Files.write(file(1), Arrays.copyOf(bytes, bytes.length - 5_000));
        assertThat(scan(1)).as("nothing after the zeros").isNotEmpty();
    }

    @Test
    void shouldTakeEachBeginOfTheNewestFileForATornEnd() throws IOException {
        Path newest = writeSmallFiles();
        byte[] bytes = Files.readAllBytes(newest);
        for (int length = 0; length < bytes.length; length = next(length)) {
            Files.write(newest, Arrays.copyOf(bytes, length));

            assertThat(scan(1)).as("%d bytes", length).hasSizeBetween(39, 69);
        }
    }

    @Test
    void shouldNameTheFileAfterOneThatIsMissingOrCutOff() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 3_500);
        }
        byte[] bytes = Files.readAllBytes(file(1_010));
        for (int length : new int[] {0, ReportSegment.HEADER_LENGTH}) {
            Files.write(file(1_010), Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> scan(1))
                    .as("%d bytes", length)
                    .isInstanceOf(OperatingFailureException.class)
                    .hasMessageContaining(file(2_010).toString());
        }
        Files.delete(file(1_010));

        assertThatThrownBy(() -> scan(1))
                .isInstanceOf(OperatingFailureException.class)
                .hasMessageContaining(file(2_010) + " begins with report 2010, expected 1010");
        assertThat(scan(202)).as("after it").isEqualTo(sequences(2_010, 3_500));
    }

    /** A link to nothing cannot be opened, whoever runs the test. */
    @Test
    void shouldNameTheFileThatCannotBeOpened() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 2_500);
        }
        for (long first : new long[] {1, 1_010, 2_010}) {
            byte[] bytes = Files.readAllBytes(file(first));
            Files.delete(file(first));
            Files.createSymbolicLink(file(first), directory.resolve("absent"));

            assertThatThrownBy(() -> scan(1))
                    .as("file of report %d", first)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(file(first).toString());

            Files.delete(file(first));
            Files.write(file(first), bytes);
        }
    }

    @Test
    void shouldHaveNothingWhereNoStoreIs() {
        assertThat(ReportScan.open(directory.resolve("absent"), 1).next()).isFalse();
    }

    /** Writes a file of reports 1 to 39 and one of the runs 40 to 49, 50 to 59, 60 to 69 and 70, which is returned. */
    private Path writeSmallFiles() {
        try (ReportStore store = ReportStore.open(directory, 1, 35, Durability.PROCESS)) {
            append(store, 1, 70);
        }
        return file(40);
    }

    /** Returns the next place that is tried: each one of the heads of the file and of its first chunk, some others. */
    private static int next(int at) {
        return at < ReportSegment.HEADER_LENGTH + ReportChunk.HEAD_LENGTH ? at + 1 : at + 7;
    }

    private Path file(long first) {
        return directory.resolve(String.format("%020d.reports", first));
    }

    private ReportStore open() {
        return ReportStore.open(directory, 1, PER_SEGMENT, Durability.PROCESS);
    }

    private static void append(ReportStore store, long from, long to) {
        TestRuns.append(store, from, to, sequence -> sequence / 10);
    }

    private List<Long> scan(long fromBlock) {
        List<Long> found = new ArrayList<>();
        try (ReportScan scan = ReportScan.open(directory, fromBlock)) {
            while (scan.next()) {
                assertThat(scan.report().orderId()).isEqualTo(7 * scan.report().reportSequence());
                found.add(scan.report().reportSequence());
            }
        }
        return found;
    }

    private static List<Long> sequences(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }
}
