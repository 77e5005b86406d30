package io.sealbook.archive;

import static io.sealbook.archive.BlockArchiveTest.assertHolds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullDiskTest {
    @TempDir
    Path directory;

    private final List<byte[]> chain = Chains.chain(1, 9);
    private final LimitedDisk disk = new LimitedDisk();

    @Test
    void shouldSayFullAndStayAsItWasWhereverTheRoomEnds() {
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4), disk)) {
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
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4), disk)) {
            chain.subList(0, 4).forEach(archive::append);
            // Room for the index of the full segment, not for the head of the next.
            disk.roomBytes = 4 * SegmentEntry.LENGTH + 4 + 50;

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
    void shouldRefuseToAppendAfterTornRecordCouldNotBeCut() {
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4), disk)) {
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
