package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Report n is of block n / 10 here; 1,000 reports a file. */
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

        assertThat(scan(201)).isEqualTo(sequences(2_001, 3_500));
        assertThat(scan(200)).as("block 200 has reports in both files").isEqualTo(sequences(1_001, 3_500));
        assertThat(scan(10_000)).isEqualTo(sequences(3_001, 3_500));
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
        Path newest = file(1_001);
        byte[] bytes = Files.readAllBytes(newest);
        for (int length : new int[] {bytes.length - 1, 17, 16, 15, 0}) {
            Files.write(newest, Arrays.copyOf(bytes, length));

            assertThat(scan(1)).as("%d bytes", length).isEqualTo(sequences(1, 1_000));
        }
    }

    @Test
    void shouldNameAFileThatIsDamagedOrOfAnotherKind() throws IOException {
        try (ReportStore store = open()) {
            append(store, 1, 1_100);
        }
        Path first = file(1);
        byte[] bytes = Files.readAllBytes(first);
        for (int at : new int[] {0, 12, 20, bytes.length - 1}) {
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
        return ReportStore.open(directory, 1, PER_SEGMENT);
    }

    private static void append(ReportStore store, long from, long to) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[ReportStore.RECORD_LENGTH]);
        for (long sequence = from; sequence <= to; sequence++) {
            new ExecutionReportEncoder()
                    .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                    .reportSequence(sequence)
                    .blockSequence(sequence / 10)
                    .orderId(7 * sequence);
            store.append(sequence, buffer, 0);
        }
        store.flush();
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
