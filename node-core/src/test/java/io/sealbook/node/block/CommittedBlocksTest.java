package io.sealbook.node.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of an archive that nothing keeps in memory. */
class CommittedBlocksTest {
    private static final ArchiveConfig CONFIG = new ArchiveConfig(Digest.ZERO, 4, Durability.PROCESS);

    @TempDir
    private Path directory;

    @Test
    void shouldNotHaveABlockThatTheDiskHasChanged() throws IOException {
        byte[] batch = {1, 2, 3};
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            archive.append(Block.wrap(new BlockBuilder()
                    .begin(1, 0, 1, Digest.sha256(batch), Digest.ZERO, 0)
                    .add(Digest.sha256(batch), 1, batch, 0, batch.length)
                    .build()));
            CommittedBlocks blocks =
                    new CommittedBlocks(archive, new HeaderDecoding(HeaderDecoding.Policy.ONCE, count -> {}), 1);
            assertThat(blocks.wholeBlock(1)).isPresent();
            assertThat(blocks.wholeBlock(2)).isEmpty();

            changeLastByte();

            assertThat(blocks.wholeBlock(1)).isEmpty();
            assertThatThrownBy(() -> blocks.block(1)).isInstanceOf(BlockDamagedException.class);
        }
    }

    private void changeLastByte() throws IOException {
        List<Path> segments;
        try (Stream<Path> files = Files.list(directory)) {
            segments = files.filter(file -> file.toString().endsWith(".blocks")).toList();
        }
        assertThat(segments).hasSize(1);
        try (RandomAccessFile file = new RandomAccessFile(segments.getFirst().toFile(), "rw")) {
            file.seek(file.length() - 1);
            int last = file.read();
            file.seek(file.length() - 1);
            file.write(last ^ 1);
        }
    }
}
