package io.sealbook.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockLocation;
import io.sealbook.handoff.HandOffWriter;
import io.sealbook.handoff.HandedBlock;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that hands over blocks themselves: an engine executes them without its archive. */
class CarriedBlocksTest {
    private static final int BLOCKS = 6;

    @TempDir
    private Path directory;

    @Test
    void shouldReadCarriedBlocksWithoutAnArchiveAndPlacesWithIt() {
        Path queue = directory.resolve("queue");
        Path archivePath = directory.resolve("archive");
        List<Block> blocks = new ArrayList<>();
        try (BlockArchive archive =
                        BlockArchive.open(archivePath, new ArchiveConfig(Digest.ZERO, 16, Durability.PROCESS));
                HandOffWriter<HandedBlock> writer = HandOffWriter.ofBlocks(queue, Durability.PROCESS)) {
            Digest previous = Digest.ZERO;
            for (int sequence = 1; sequence <= BLOCKS; sequence++) {
                byte[] batch = new byte[100_000];
                batch[7] = (byte) sequence;
                Block block = Block.wrap(new BlockBuilder()
                        .begin(sequence, 0, sequence, Digest.ZERO, previous)
                        .add(Digest.sha256(batch), 1, batch, 0, batch.length)
                        .build());
                previous = block.hash();
                blocks.add(block);
                BlockLocation place = archive.append(block);
                // The setting of the node was changed after half of the blocks.
                writer.append(
                        sequence <= BLOCKS / 2
                                ? new HandedBlock(place, Optional.of(block.bytes()))
                                : HandedBlock.place(place));
            }
        }

        try (CommittedBlockReader elsewhere = new CommittedBlockReader(queue, directory.resolve("no-archive"))) {
            elsewhere.positionAfter(0, Digest.ZERO, CommittedBlockReader.NO_QUEUE_INDEX);
            for (int i = 0; i < BLOCKS / 2; i++) {
                assertThat(elsewhere.poll().orElseThrow().block().bytes())
                        .isEqualTo(blocks.get(i).bytes());
            }
        }
        try (CommittedBlockReader beside = new CommittedBlockReader(queue, archivePath);
                QueueEnd end = new QueueEnd(queue)) {
            beside.positionAfter(0, Digest.ZERO, CommittedBlockReader.NO_QUEUE_INDEX);
            for (Block block : blocks) {
                assertThat(beside.poll().orElseThrow().block().bytes()).isEqualTo(block.bytes());
            }
            assertThat(beside.poll()).isEmpty();
            assertThat(end.lastSequence()).isEqualTo(BLOCKS);
        }
    }
}
