package io.sealbook.engine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.config.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotStoreTest {
    private static final byte[] GENESIS = digest(1);

    @TempDir
    Path directory;

    @Test
    void shouldReadBackWhatItWroteNewestFirst() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);
        store.write(snapshot(9));
        store.write(snapshot(10));

        List<EngineSnapshot> read = store.readAll();

        assertThat(read).extracting(EngineSnapshot::sequence).containsExactly(10L, 9L);
        assertSame(read.get(0), snapshot(10));
        assertSame(read.get(1), snapshot(9));
    }

    @Test
    void shouldKeepTheNewestTwo() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);
        for (long sequence : new long[] {5, 99, 100, 1_000}) {
            store.write(snapshot(sequence));
        }

        assertThat(store.readAll()).extracting(EngineSnapshot::sequence).containsExactly(1_000L, 100L);
        assertThat(files()).hasSize(SnapshotStore.KEPT);
    }

    @Test
    void shouldPassOverASnapshotWithADamagedByteForTheOneBefore() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);
        store.write(snapshot(1));
        store.write(snapshot(2));
        Path newest = files().get(1);
        byte[] whole = Files.readAllBytes(newest);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            Files.write(newest, damaged);

            assertThat(store.readAll())
                    .as("byte %d", at)
                    .extracting(EngineSnapshot::sequence)
                    .containsExactly(1L);
        }
    }

    @Test
    void shouldPassOverATornSnapshotWhereverItIsTorn() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);
        store.write(snapshot(1));
        store.write(snapshot(2));
        Path newest = files().get(1);
        byte[] whole = Files.readAllBytes(newest);
        for (int length = 0; length < whole.length; length++) {
            Files.write(newest, Arrays.copyOf(whole, length));

            assertThat(store.readAll())
                    .as("%d bytes", length)
                    .extracting(EngineSnapshot::sequence)
                    .containsExactly(1L);
        }
        store.write(snapshot(2));
        assertThat(store.readAll()).extracting(EngineSnapshot::sequence).containsExactly(2L, 1L);
    }

    @Test
    void shouldPassOverSnapshotsOfAnotherChainAndUnfinishedOnes() throws IOException {
        new SnapshotStore(directory, GENESIS, Durability.PROCESS).write(snapshot(7));
        Path whole = files().get(0);
        Files.copy(whole, whole.resolveSibling(whole.getFileName() + ".unfinished"));

        assertThat(new SnapshotStore(directory, digest(2), Durability.PROCESS).readAll())
                .isEmpty();
        assertThat(new SnapshotStore(directory, GENESIS, Durability.PROCESS).readAll())
                .hasSize(1);
    }

    @Test
    void shouldDeleteWhatIsNewerThanABlock() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);
        store.write(snapshot(20));
        store.write(snapshot(30));

        store.deleteAfter(20);
        assertThat(store.readAll()).extracting(EngineSnapshot::sequence).containsExactly(20L);

        store.deleteAfter(0);
        assertThat(store.readAll()).isEmpty();
    }

    private static void assertSame(EngineSnapshot actual, EngineSnapshot expected) {
        assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
    }

    private static EngineSnapshot snapshot(long sequence) {
        Random random = new Random(sequence);
        byte[] core = new byte[50];
        random.nextBytes(core);
        return new EngineSnapshot(
                sequence,
                digest(random.nextInt()),
                digest(random.nextInt()),
                random.nextLong(),
                random.longs(3).toArray(),
                new TreeMap<>(Map.of(1, random.nextLong(), -7, random.nextLong())),
                core);
    }

    private static byte[] digest(int seed) {
        byte[] digest = new byte[32];
        new Random(seed).nextBytes(digest);
        return digest;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".snapshot"))
                    .sorted()
                    .toList();
        }
    }
}
