package io.sealbook.engine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotStoreTest {
    private static final Digest GENESIS = digest(1);

    @TempDir
    Path directory;

    @Test
    void shouldReadBackWhatItWroteNewestFirst() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);
        write(store, 9);
        write(store, 10);

        List<StoredSnapshot> read = store.readAll();

        assertThat(read).extracting(SnapshotStoreTest::sequence).containsExactly(10L, 9L);
        assertSame(read.get(0), 10);
        assertSame(read.get(1), 9);
    }

    /** The magic number differs, and nothing of instruments is between terms and core. */
    @Test
    void shouldReadAVersionWithoutChangesOfBooks() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);
        write(store, 3);
        ByteBuffer written =
                ByteBuffer.wrap(Files.readAllBytes(files().getFirst())).order(ByteOrder.LITTLE_ENDIAN);
        int changes = Integer.BYTES + 2 * 20;
        int before = written.limit() - Integer.BYTES - Long.BYTES - core(3).length - changes;
        ByteBuffer older = ByteBuffer.allocate(written.limit() - changes).order(ByteOrder.LITTLE_ENDIAN);
        older.put(written.slice(0, before))
                .put(written.slice(before + changes, core(3).length + Long.BYTES))
                .put(0, "SBENGSN3".getBytes(StandardCharsets.US_ASCII));
        CRC32C crc = new CRC32C();
        crc.update(older.array(), 0, older.position());
        Files.write(files().getFirst(), older.putInt((int) crc.getValue()).array());

        StoredSnapshot read = store.readAll().getFirst();

        assertThat(read.header().bookChanges()).isEmpty();
        assertThat(read.header())
                .usingRecursiveComparison()
                .ignoringFields("bookChanges")
                .isEqualTo(header(3));
        assertThat(read.<byte[]>readCore(in -> in.readNBytes(core(3).length))).isEqualTo(core(3));
    }

    @Test
    void shouldKeepTheNewestTwo() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);
        for (long sequence : new long[] {5, 99, 100, 1_000}) {
            write(store, sequence);
        }

        assertThat(store.readAll()).extracting(SnapshotStoreTest::sequence).containsExactly(1_000L, 100L);
        assertThat(files()).hasSize(SnapshotStore.KEPT);
    }

    @Test
    void shouldPassOverASnapshotWithADamagedByteForTheOneBefore() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);
        write(store, 1);
        write(store, 2);
        Path newest = files().get(1);
        byte[] whole = Files.readAllBytes(newest);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            Files.write(newest, damaged);

            assertThat(store.readAll())
                    .as("byte %d", at)
                    .extracting(SnapshotStoreTest::sequence)
                    .containsExactly(1L);
        }
    }

    @Test
    void shouldPassOverATornSnapshotWhereverItIsTorn() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);
        write(store, 1);
        write(store, 2);
        Path newest = files().get(1);
        byte[] whole = Files.readAllBytes(newest);
        for (int length = 0; length < whole.length; length++) {
            Files.write(newest, Arrays.copyOf(whole, length));

            assertThat(store.readAll())
                    .as("%d bytes", length)
                    .extracting(SnapshotStoreTest::sequence)
                    .containsExactly(1L);
        }
        write(store, 2);
        assertThat(store.readAll()).extracting(SnapshotStoreTest::sequence).containsExactly(2L, 1L);
    }

    @Test
    void shouldPassOverSnapshotsOfAnotherChainAndUnfinishedOnes() throws IOException {
        write(new SnapshotStore(directory, GENESIS, Durability.PROCESS), 7);
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
        write(store, 20);
        write(store, 30);

        store.deleteAfter(20);
        assertThat(store.readAll()).extracting(SnapshotStoreTest::sequence).containsExactly(20L);

        store.deleteAfter(0);
        assertThat(store.readAll()).isEmpty();
    }

    @Test
    void shouldNotCountBeforeItIsPublished() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.DISK);
        write(store, 1);
        StagedSnapshot second = stage(store, 2);
        StagedSnapshot third = stage(store, 3);
        assertThat(store.readAll()).extracting(SnapshotStoreTest::sequence).containsExactly(1L);

        second.publish();
        assertThat(store.readAll()).extracting(SnapshotStoreTest::sequence).containsExactly(2L, 1L);

        third.publish();
        assertThat(store.readAll()).extracting(SnapshotStoreTest::sequence).containsExactly(3L, 2L);
    }

    @Test
    void shouldRemoveWhatAKilledProcessLeftUnfinished() throws IOException {
        stage(new SnapshotStore(directory, GENESIS, Durability.PROCESS), 4);
        new SnapshotStore(directory, GENESIS, Durability.PROCESS).begin(header(5));

        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);

        assertThat(directory).isEmptyDirectory();
        assertThat(store.readAll()).isEmpty();
    }

    @Test
    void shouldLeaveNothingOfASnapshotThatCannotBeWritten() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);

        UnfinishedSnapshot unfinished = store.begin(header(5));
        unfinished.core().write(new byte[100_000]);

        assertThat(unfinished.failure(new IOException("No space left on device")))
                .hasMessageContaining("cannot write")
                .hasRootCauseMessage("No space left on device");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldReadBackACoreOfManyBuffers() throws IOException {
        SnapshotStore store = new SnapshotStore(directory, GENESIS, Durability.PROCESS);
        byte[] large = new byte[300_000];
        new Random(1).nextBytes(large);
        stage(store, 6, large).publish();

        byte[] read = store.readAll().get(0).readCore(in -> in.readNBytes(large.length));

        assertThat(read).isEqualTo(large);
    }

    private static void write(SnapshotStore store, long sequence) throws IOException {
        stage(store, sequence).publish();
    }

    private static StagedSnapshot stage(SnapshotStore store, long sequence) throws IOException {
        return stage(store, sequence, core(sequence));
    }

    private static StagedSnapshot stage(SnapshotStore store, long sequence, byte[] core) throws IOException {
        UnfinishedSnapshot unfinished = store.begin(header(sequence));
        unfinished.core().write(core);
        return unfinished.finish();
    }

    private static long sequence(StoredSnapshot snapshot) {
        return snapshot.header().sequence();
    }

    private static void assertSame(StoredSnapshot actual, long expected) throws IOException {
        assertThat(actual.header()).usingRecursiveComparison().isEqualTo(header(expected));
        byte[] core = actual.readCore(in -> in.readNBytes(core(expected).length));
        assertThat(core).isEqualTo(core(expected));
    }

    private static SnapshotHeader header(long sequence) {
        Random random = new Random(sequence);
        return new SnapshotHeader(
                sequence,
                digest(random.nextInt()),
                digest(random.nextInt()),
                random.nextLong(),
                random.longs(3).toArray(),
                new TreeMap<>(Map.of(1, random.nextLong(), -7, random.nextLong())),
                core(~sequence),
                List.of(
                        new BookChange(2, random.nextLong(), random.nextLong()),
                        new BookChange(-9, random.nextLong(), random.nextLong())));
    }

    private static byte[] core(long sequence) {
        byte[] core = new byte[50];
        new Random(~sequence).nextBytes(core);
        return core;
    }

    private static Digest digest(int seed) {
        byte[] digest = new byte[32];
        new Random(seed).nextBytes(digest);
        return Digest.of(digest);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".snapshot"))
                    .sorted()
                    .toList();
        }
    }
}
