package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocatedBlockReaderTest {
    private static final int BLOCKS = 10;

    @TempDir
    private Path directory;

    private final List<byte[]> blocks = Chains.chain(31, BLOCKS);

    @Test
    void shouldReadEachBlockOfALiveArchiveWhereItsAppendSaid() {
        List<BlockLocation> locations = new ArrayList<>();
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4));
                LocatedBlockReader reader = new LocatedBlockReader(directory, block -> false)) {
            for (byte[] block : blocks) {
                BlockLocation location = archive.append(block);
                locations.add(location);
                assertThat(reader.read(location)).hasValue(block);
            }
            // Back and forth over the segments, and what the archive says afterwards.
            for (int i = BLOCKS - 1; i >= 0; i--) {
                BlockLocation told = archive.location(i + 1).orElseThrow();
                assertThat(told.encode()).isEqualTo(locations.get(i).encode());
                assertThat(reader.read(told)).hasValue(blocks.get(i));
            }
            assertThat(archive.location(0)).isEmpty();
            assertThat(archive.location(BLOCKS + 1)).isEmpty();
        }
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
            for (int i = 0; i < BLOCKS; i++) {
                assertThat(archive.location(i + 1).map(BlockLocation::encode))
                        .hasValue(locations.get(i).encode());
            }
        }
    }

    @Test
    void shouldSurviveEncoding() {
        BlockLocation location = new BlockLocation(7, Chains.GENESIS_DIGEST, 5, 123_456_789_012L, 200, -2);

        BlockLocation decoded = BlockLocation.decode(location.encode());

        assertThat(location.encode()).hasSize(BlockLocation.LENGTH);
        assertThat(decoded).usingRecursiveComparison().isEqualTo(location);
        assertThat(decoded.file(directory)).isEqualTo(directory.resolve("segment-0000000000000000005.blocks"));
    }

    @Test
    void shouldNoticeEveryDamagedByteOfALocation() {
        byte[] encoded = new BlockLocation(7, Chains.GENESIS_DIGEST, 5, 1_234, 200, -2).encode();

        for (int i = 0; i < encoded.length; i++) {
            byte[] damaged = encoded.clone();
            damaged[i] ^= 0x10;
            assertThatThrownBy(() -> BlockLocation.decode(damaged))
                    .as("byte %d", i)
                    .isInstanceOf(MalformedBlockException.class);
        }
        assertThatThrownBy(() -> BlockLocation.decode(blocks.get(0)))
                .hasMessageContaining("are no location of a block, which has 72 and begins with SBLO");
    }

    @Test
    void shouldHaveNothingWhereTheBlockHasNotBeenWrittenWhole() throws IOException {
        BlockLocation last;
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(100))) {
            archive.append(blocks.get(0));
            last = archive.append(blocks.get(1));
        }
        try (FileChannel file = FileChannel.open(last.file(directory), StandardOpenOption.WRITE);
                LocatedBlockReader reader = new LocatedBlockReader(directory, block -> false);
                LocatedBlockReader elsewhere = new LocatedBlockReader(directory.resolve("absent"), block -> false)) {
            assertThatThrownBy(() -> elsewhere.read(last))
                    .isInstanceOf(ArchiveException.class)
                    .hasMessageContaining("cannot read block 2 from " + last.file(directory.resolve("absent")));
            file.truncate(file.size() - 1);
            assertThat(reader.read(last)).isEmpty();
            file.truncate(last.offset());
            assertThat(reader.read(last)).isEmpty();
        }

        // The archive mends itself and gets the same block again, at the same place.
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(100));
                LocatedBlockReader reader = new LocatedBlockReader(directory, block -> false)) {
            assertThat(archive.append(blocks.get(1)).encode()).isEqualTo(last.encode());
            assertThat(reader.read(last)).hasValue(blocks.get(1));
        }
    }

    /** A block fetched from a peer again may carry other signatures, which its hash does not cover. */
    @Test
    void shouldTakeTheSameBlockInOtherBytesWhereItsBatchesAreFoundRight() throws IOException {
        BlockLocation location;
        byte[] other = Chains.chain(31, BLOCKS, 3, 40).get(3);
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(100))) {
            archive.append(blocks.get(0));
            archive.append(blocks.get(1));
            archive.append(blocks.get(2));
            location = archive.append(blocks.get(3));
        }
        int lastByte = other.length - 1;
        other[lastByte] ^= 1;
        assertThat(Block.wrap(other).batchCount()).isPositive();
        try (FileChannel file = FileChannel.open(location.file(directory), StandardOpenOption.WRITE);
                LocatedBlockReader trusting = new LocatedBlockReader(directory, block -> true);
                LocatedBlockReader checking = new LocatedBlockReader(directory, block -> false)) {
            PositionalIo.write(file, ByteBuffer.wrap(other), location.offset());

            assertThat(trusting.read(location)).hasValue(other);
            assertThatThrownBy(() -> checking.read(location)).isInstanceOf(BlockDamagedException.class);

            // A batch's id or the header itself is another one: that is not the block, whatever its batches are.
            for (int at : new int[] {20, BlockHeader.LENGTH + 3}) {
                byte[] bent = other.clone();
                bent[at] ^= 1;
                PositionalIo.write(file, ByteBuffer.wrap(bent), location.offset());
                assertThatThrownBy(() -> trusting.read(location)).isInstanceOf(BlockDamagedException.class);
            }
        }
    }

    @Test
    void shouldRefuseOtherBytesThanTheLocationSpeaksOf() throws IOException {
        BlockLocation location;
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(100))) {
            location = archive.append(blocks.get(0));
        }
        try (FileChannel file = FileChannel.open(location.file(directory), StandardOpenOption.WRITE);
                LocatedBlockReader reader = new LocatedBlockReader(directory, block -> true)) {
            byte[] other = Chains.chain(32, 1).get(0);
            PositionalIo.write(file, ByteBuffer.wrap(other), location.offset());

            assertThatThrownBy(() -> reader.read(location))
                    .isInstanceOf(BlockDamagedException.class)
                    .hasMessageContaining("block 1: block damaged");
        }
    }
}
