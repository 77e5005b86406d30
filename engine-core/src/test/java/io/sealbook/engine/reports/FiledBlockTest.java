package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiledBlockTest {
    @TempDir
    Path directory;

    /** The file of broker 1 has reports of block 2, and that of broker 2 may have more of them soon. */
    @Test
    void shouldNameTheLastBlockWhoseReportsAreAllFiled() {
        try (ReportStores stores = open()) {
            append(stores, 1, 1, 1);
            end(stores, 1);
            append(stores, 1, 2, 2);
            stores.of(1).orElseThrow().flush();

            assertThat(FiledBlock.in(directory)).hasValue(1);

            append(stores, 2, 1, 2);
            end(stores, 2);
            assertThat(FiledBlock.in(directory)).hasValue(2);

            end(stores, 3);
            assertThat(FiledBlock.in(directory)).as("without reports").hasValue(3);
        }
        assertThat(FiledBlock.in(directory)).as("after the end").hasValue(3);
    }

    @Test
    void shouldGoBackWithTheReports() {
        try (ReportStores stores = open()) {
            append(stores, 1, 1, 1);
            end(stores, 1);
            append(stores, 1, 2, 2);
            end(stores, 2);
        }

        try (ReportStores stores = open()) {
            stores.truncateTo(1, new TreeMap<>(Map.of(1, 1L)));
        }

        assertThat(FiledBlock.in(directory)).hasValue(1);
    }

    /** An earlier build does not write it. */
    @Test
    void shouldBeTheHighestBlockOfAnyReportIfItIsNotWritten() throws IOException {
        try (ReportStores stores = open()) {
            append(stores, 1, 1, 4);
            append(stores, 2, 1, 4);
            append(stores, 2, 2, 7);
            end(stores, 8);
        }
        Files.delete(directory.resolve("filed"));

        assertThat(FiledBlock.in(directory)).hasValue(7);

        try (ReportStores stores = open()) {
            assertThat(stores.all()).isNotEmpty();
            assertThat(FiledBlock.in(directory))
                    .as("before an engine has begun")
                    .hasValue(7);
        }
    }

    @Test
    void shouldBeUnknownWithoutReports() {
        assertThat(FiledBlock.in(directory.resolve("absent"))).isEqualTo(OptionalLong.empty());

        try (ReportStores stores = open()) {
            assertThat(stores.lastBlock()).isZero();
            assertThat(FiledBlock.in(directory)).isEqualTo(OptionalLong.empty());
        }
    }

    @Test
    void shouldNameADamagedFile() throws IOException {
        try (ReportStores stores = open()) {
            end(stores, 1);
        }
        Path file = directory.resolve("filed");
        byte[] bytes = Files.readAllBytes(file);
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 1;
            assertRefused(file, damaged);
            if (at > 0) {
                assertRefused(file, Arrays.copyOf(bytes, at));
            }
        }
    }

    private void assertRefused(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
        assertThatThrownBy(() -> FiledBlock.in(directory))
                .isInstanceOf(OperatingFailureException.class)
                .hasMessageContaining(file.toString());
    }

    private ReportStores open() {
        return new ReportStores(directory, List.of(1, 2), 1_000, Durability.PROCESS);
    }

    private static void append(ReportStores stores, int brokerId, long report, long block) {
        TestRuns.append(stores.of(brokerId).orElseThrow(), TestRuns.run(brokerId, report, 1, block), 0);
    }

    private static void end(ReportStores stores, long block) {
        stores.endBlock();
        stores.flush(block);
    }
}
