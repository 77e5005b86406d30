package io.sealbook.perf.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.perf.bench.archive.BenchBlocks;
import io.sealbook.perf.results.Result;
import io.sealbook.perf.results.ResultRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class BlockStoreTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(StoreKind.class)
    void shouldKeepBlocksOverARestart(StoreKind kind) throws IOException {
        BenchBlocks blocks = new BenchBlocks(3, 100);
        List<byte[]> written = new ArrayList<>();
        try (BlockStore store = kind.open(directory, true)) {
            for (int sequence = 1; sequence <= 50; sequence++) {
                written.add(blocks.next());
                store.append(sequence, written.getLast());
            }
        }

        try (BlockStore store = kind.open(directory, false)) {
            for (int sequence = 1; sequence <= 50; sequence++) {
                assertThat(store.read(sequence)).isEqualTo(written.get(sequence - 1));
            }
            written.add(blocks.next());
            store.append(51, written.getLast());
            assertThat(store.read(51)).isEqualTo(written.getLast());
        }
    }

    @Test
    void shouldRefuseAStoreThatReturnsAnotherBlock() throws IOException {
        StorageRun run = new StorageRun(new Forgetful(), new BenchBlocks(1, 100));
        run.append(10, TimeUnit.MINUTES.toNanos(5));

        assertThatThrownBy(() -> run.read(100)).isInstanceOf(IOException.class).hasMessageContaining("not what was");
    }

    @Test
    void shouldMeasureAllStoresAndWriteTheResult() throws IOException {
        Path json = directory.resolve("storage.json");

        int exit = new CommandLine(new StorageCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute("--lengths", "20,60", "--reads", "50", "--warm-up", "10", "--json", json.toString());

        assertThat(exit).isZero();
        Result result = Result.read(json);
        assertThat(result.rows()).hasSize(2 * StoreKind.values().length * 2);
        assertThat(result.rows()).allMatch(row -> row.figures().get("blocksPerSecond") > 0);
        assertThat(result.rows().getLast().label()).isEqualTo("rocksdb, sync");
        assertThat(result.rows().getLast().figures()).containsEntry("blocks", 60.0);
    }

    @Test
    void shouldWriteALineForEachIntervalOfASeries() throws IOException {
        Path json = directory.resolve("series.json");

        int exit = new CommandLine(new StorageCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(
                        "--stores", "archive",
                        "--sync", "false",
                        "--series", "1",
                        "--seconds", "3",
                        "--rate", "50",
                        "--reads", "20",
                        "--warm-up", "0",
                        "--json", json.toString());

        assertThat(exit).isZero();
        Result result = Result.read(json);
        assertThat(result.rows())
                .extracting(ResultRow::label)
                .containsExactly("archive, until 1 s", "archive, until 2 s", "archive, until 3 s");
        assertThat(result.rows())
                .extracting(row -> row.figures().get("blocks"))
                .isSorted()
                .allMatch(blocks -> blocks > 0 && blocks <= 155);
    }

    @Test
    void shouldRefuseASeriesThatIsLongerThanTheRun() {
        assertThat(new CommandLine(new StorageCommand()).execute("--series", "61"))
                .isEqualTo(2);
    }

    /** Returns its last block whatever is asked for. */
    private static final class Forgetful implements BlockStore {
        private byte[] last;

        @Override
        public void append(long sequence, byte[] block) {
            last = block;
        }

        @Override
        public byte[] read(long sequence) {
            return last;
        }

        @Override
        public void close() {}
    }
}
