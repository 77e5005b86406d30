package io.sealbook.archive;

import static io.sealbook.archive.BlockArchiveTest.assertHolds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.archive.storage.CallerThread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class FullDiskTest {
    @TempDir
    Path directory;

    private final List<byte[]> chain = Chains.chain(1, 9);
    private final LimitedDisk disk = new LimitedDisk();
    private final ExecutorService worker = Executors.newSingleThreadExecutor();

    @Test
    void shouldSayFullAndStayAsItWasWhereverTheRoomEnds() {
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4), disk, new CallerThread())) {
            archive.append(chain.get(0));
            archive.append(chain.get(1));
            for (int room = 0; room < SegmentRecord.HEADER_LENGTH + chain.get(2).length; room++) {
                disk.roomBytes = room;

                assertThatExceptionOfType(ArchiveFullException.class)
                        .isThrownBy(() -> archive.append(chain.get(2)))
                        .withMessageContaining("block 3");

                assertHolds(archive, chain.subList(0, 2));
                try (ArchiveReader reader = ArchiveReader.open(directory)) {
                    assertHolds(reader, chain.subList(0, 2));
                    assertThat(reader.tornBytes()).isZero();
                }
            }

            disk.roomBytes = Long.MAX_VALUE;
            archive.append(chain.get(2));
            assertHolds(archive, chain.subList(0, 3));
        }
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
            assertHolds(archive, chain.subList(0, 3));
        }
    }

    @Test
    void shouldSayFullWhenNoSegmentCanBeBegunAndGoOnWhenThereIsRoom() {
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4), disk, new CallerThread())) {
            archive.append(chain.get(0));
            archive.append(chain.get(1));
        }
        disk.roomBytes = 0;
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4), disk, new CallerThread())) {
            // Room for two blocks and the index of the full segment, not for the head of the next.
            disk.roomBytes = 2 * SegmentRecord.HEADER_LENGTH
                    + chain.get(2).length
                    + chain.get(3).length
                    + 4 * SegmentEntry.LENGTH
                    + 50;
            archive.append(chain.get(2));
            archive.append(chain.get(3));

            assertThatExceptionOfType(ArchiveFullException.class)
                    .isThrownBy(() -> archive.append(chain.get(4)))
                    .withMessageContaining("segment of block 5");
            assertHolds(archive, chain.subList(0, 4));

            disk.roomBytes = Long.MAX_VALUE;
            chain.subList(4, 9).forEach(archive::append);
            assertHolds(archive, chain);
        }
    }

    @Test
    @Timeout(300)
    void shouldAppendAndReadWhileFullSegmentWaitsForTheDisk() throws Exception {
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4), disk, worker)) {
            chain.subList(0, 4).forEach(archive::append);
            awaitNextSegment();
            disk.forceGate = new CountDownLatch(1);
            chain.subList(4, 8).forEach(archive::append);
            archive.putExecutionTime(3, 103);
            archive.putExecutionTime(8, 108);

            assertHolds(archive, chain.subList(0, 8));
            disk.forceGate.countDown();
            archive.append(chain.get(8));
            assertHolds(archive, chain);
        }
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
            assertThat(archive.recovery().blocksScanned()).isEqualTo(1);
            assertHolds(archive, chain);
            assertThat(archive.facts(3).orElseThrow().executionTimeNs()).hasValue(103);
            assertThat(archive.facts(8).orElseThrow().executionTimeNs()).hasValue(108);
        }
    }

    private void awaitNextSegment() throws Exception {
        worker.submit(() -> {}).get();
    }

    @Test
    void shouldRefuseToAppendAfterFullSegmentCouldNotBeClosed() {
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4), disk, new CallerThread())) {
            chain.subList(0, 4).forEach(archive::append);
            disk.isForceBroken = true;
            archive.append(chain.get(4));

            assertThatExceptionOfType(ArchiveException.class)
                    .isThrownBy(() -> archive.append(chain.get(5)))
                    .withMessageContaining("cannot close a full segment in " + directory)
                    .withStackTraceContaining("Input/output error");
            assertHolds(archive, chain.subList(0, 5));
        } catch (ArchiveException e) {
            assertThat(e).hasMessageContaining("cannot close the archive");
        }
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
            assertThat(archive.recovery().blocksScanned()).isEqualTo(5);
            archive.append(chain.get(5));
            assertHolds(archive, chain.subList(0, 6));
        }
    }

    @Test
    void shouldRefuseToAppendAfterTornRecordCouldNotBeCut() {
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4), disk, new CallerThread())) {
            archive.append(chain.get(0));
            disk.roomBytes = 40;
            disk.isTruncateBroken = true;
            assertThatExceptionOfType(ArchiveFullException.class).isThrownBy(() -> archive.append(chain.get(1)));

            disk.roomBytes = Long.MAX_VALUE;
            assertThatExceptionOfType(ArchiveException.class)
                    .isThrownBy(() -> archive.append(chain.get(1)))
                    .withMessageContaining("failed before");
            assertHolds(archive, chain.subList(0, 1));
        }
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
            assertThat(archive.recovery().tornBytes()).isEqualTo(40);
            archive.append(chain.get(1));
            assertHolds(archive, chain.subList(0, 2));
        }
    }

    @Test
    void shouldTellFullFromOtherFailures() {
        assertThat(PositionalIo.isNoSpace(new IOException("No space left on device")))
                .isTrue();
        assertThat(PositionalIo.isNoSpace(new IOException("Disk quota exceeded")))
                .isTrue();
        assertThat(PositionalIo.isNoSpace(new IOException("Input/output error")))
                .isFalse();
        assertThat(PositionalIo.isNoSpace(new IOException())).isFalse();
    }
}
