package io.sealbook.simulator.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StorageException;
import io.sealbook.archive.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What survives, seen through the storage that nodes use. */
class SimulatedDiskTest {
    private static final int LENGTH = 2_048;

    private static SimulatedDisk disk(long seed) {
        return new SimulatedDisk(new SplittableRandom(seed), () -> {});
    }

    private static Storage open(SimulatedDisk disk) {
        return FileStorage.open(disk.directory("files"));
    }

    @Test
    void shouldKeepWhatWasSyncedWithItsName() {
        for (long seed = 0; seed < 50; seed++) {
            SimulatedDisk disk = disk(seed);
            Storage storage = open(disk);
            StoredFile file = storage.create("a");
            file.write(ByteBuffer.wrap(ones()), 0);
            file.sync(true);
            storage.syncNames();

            disk.failPower();

            assertThat(read(open(disk).open("a"))).isEqualTo(ones());
        }
    }

    @Test
    void shouldKeepEverythingWhenOnlyTheProcessEnds() {
        SimulatedDisk disk = disk(1);
        open(disk).create("a").write(ByteBuffer.wrap(ones()), 0);

        disk.killProcess();

        assertThat(read(open(disk).open("a"))).isEqualTo(ones());
    }

    @Test
    void shouldCopyAFile() throws IOException {
        SimulatedDisk disk = disk(1);
        Storage storage = open(disk);
        storage.create("a").write(ByteBuffer.wrap(ones()), 0);

        Files.copy(disk.directory("files").resolve("a"), disk.directory("files").resolve("b"));

        assertThat(read(storage.open("b"))).isEqualTo(ones());
        assertThat(read(storage.open("a"))).isEqualTo(ones());
    }

    @Test
    void shouldLoseAnyNumberOfSectorsOfAWriteThatWasNotSynced() {
        TreeSet<Integer> lengths = new TreeSet<>();
        for (long seed = 0; seed < 200; seed++) {
            SimulatedDisk disk = disk(seed);
            Storage storage = open(disk);
            StoredFile file = storage.create("a");
            file.sync(true);
            storage.syncNames();
            file.write(ByteBuffer.wrap(ones()), 0);

            disk.failPower();

            byte[] found = read(open(disk).open("a"));
            assertThat(found).isEqualTo(Arrays.copyOf(ones(), found.length));
            lengths.add(found.length);
        }

        assertThat(lengths).containsExactly(0, 512, 1_024, 1_536, LENGTH);
    }

    @Test
    void shouldKeepAnOldNameOrANewOneNeverBothOrNone() {
        TreeSet<String> outcomes = new TreeSet<>();
        for (long seed = 0; seed < 50; seed++) {
            SimulatedDisk disk = disk(seed);
            Storage storage = open(disk);
            storage.create("old").close();
            storage.syncNames();
            storage.rename("old", "new");

            disk.failPower();

            List<String> names = open(disk).names();
            assertThat(names).hasSize(1);
            outcomes.addAll(names);
        }

        assertThat(outcomes).containsExactly("new", "old");
    }

    @Test
    void shouldLetOneProcessUseADirectoryAndTheNextAfterItsEnd() {
        SimulatedDisk disk = disk(1);
        open(disk);
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> open(disk));

        disk.killProcess();

        assertThat(open(disk).names()).isEmpty();
    }

    @Test
    void shouldLetNoFileGrowBeyondItsLastBlockWhileItIsFull() {
        SimulatedDisk disk = disk(1);
        StoredFile file = open(disk).create("a");
        file.write(ByteBuffer.wrap(new byte[4_096]), 0);
        file.write(ByteBuffer.wrap(ones()), 4_096);

        disk.fill();
        file.write(ByteBuffer.wrap(ones()), 0);
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> file.write(ByteBuffer.wrap(new byte[8_192]), 4_096))
                .matches(NoRoomException::isCauseOf);

        assertThat(file.length()).isEqualTo(8_192);
        disk.makeRoom();
        file.write(ByteBuffer.wrap(ones()), 8_192);
        assertThat(file.length()).isEqualTo(8_192 + LENGTH);
    }

    private static byte[] ones() {
        byte[] ones = new byte[LENGTH];
        Arrays.fill(ones, (byte) 1);
        return ones;
    }

    private static byte[] read(StoredFile file) {
        ByteBuffer into = ByteBuffer.allocate((int) file.length());
        file.read(into, 0);
        return into.array();
    }
}
