package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
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

    @Test
    void shouldHaveNothingWhereNoStoreIs() {
        assertThat(ReportScan.open(directory.resolve("absent"), 1).next()).isFalse();
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
