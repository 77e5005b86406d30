package io.sealbook.consensus.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.protocol.GenesisFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class BlockQueueTest {
    @TempDir
    private Path directory;

    @Test
    void shouldHoldExactlyTheBytesOfEachBlockOnce() {
        try (BlockQueue queue = new BlockQueue(directory, false)) {
            queue.append(1, block(1, 10));
            queue.append(2, block(2, 3_000_000));
        }

        try (BlockQueue queue = new BlockQueue(directory, true)) {
            assertThat(queue.lastSequence()).isEqualTo(2);
            queue.append(2, block(2, 3_000_000));
            queue.append(3, block(3, 10));
            assertThatThrownBy(() -> queue.append(5, block(5, 10))).hasMessageContaining("ends at 3, cannot append 5");
        }

        try (ChronicleQueue queue = Queues.openForReading(directory);
                ExcerptTailer tailer = queue.createTailer()) {
            Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap();
            for (int sequence = 1; sequence <= 3; sequence++) {
                bytes.clear();
                assertThat(tailer.readBytes(bytes)).isTrue();
                assertThat(bytes.toByteArray()).isEqualTo(block(sequence, sequence == 2 ? 3_000_000 : 10));
            }
            bytes.clear();
            assertThat(tailer.readBytes(bytes)).isFalse();
        }
    }

    /** The queue maps 64 MB at a time: eight blocks of the greatest length cross such borders, at offsets that small ones shift. */
    @Test
    void shouldTakeBlocksOfTheGreatestLengthWhereverTheyFall() {
        int longest = GenesisFile.BLOCK_LENGTH_MAX - block(1, 1).length + 1;
        try (BlockQueue queue = new BlockQueue(directory, false)) {
            for (int sequence = 1; sequence <= 16; sequence++) {
                queue.append(sequence, block(sequence, sequence % 2 == 0 ? longest : 60_000 * sequence));
            }
        }

        try (ChronicleQueue queue = Queues.openForReading(directory);
                ExcerptTailer tailer = queue.createTailer()) {
            Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap();
            for (int sequence = 1; sequence <= 16; sequence++) {
                bytes.clear();
                assertThat(tailer.readBytes(bytes)).isTrue();
                byte[] expected = block(sequence, sequence % 2 == 0 ? longest : 60_000 * sequence);
                assertThat(Arrays.equals(bytes.toByteArray(), expected))
                        .as("block %d of %d bytes", sequence, expected.length)
                        .isTrue();
            }
        }
        try (BlockQueue queue = new BlockQueue(directory, false)) {
            assertThat(queue.lastBlock().orElseThrow().length()).isEqualTo(GenesisFile.BLOCK_LENGTH_MAX);
        }
    }

    @Test
    void shouldGoOnWhereAKilledWriterLeftAnExcerptUnfinished() {
        try (BlockQueue queue = new BlockQueue(directory, false)) {
            queue.append(1, block(1, 10));
        }
        ChronicleQueue killed = Queues.openForWriting(directory);
        DocumentContext unfinished = killed.createAppender().writingDocument();
        unfinished.wire().bytes().write(new byte[100]);

        try (BlockQueue queue = new BlockQueue(directory, false)) {
            assertThat(queue.lastSequence()).isEqualTo(1);
            queue.append(2, block(2, 10));
        }

        try (BlockQueue queue = new BlockQueue(directory, false)) {
            assertThat(queue.lastBlock().map(Block::bytes)).hasValue(block(2, 10));
        }
        killed.close();
    }

    /** Start-up appends what only the archive holds, then the committer goes on. */
    @Test
    void shouldBeHandedFromTheStartingThreadToTheCommitter() {
        try (BlockQueue queue = new BlockQueue(directory, true)) {
            queue.append(1, block(1, 10));
            CompletableFuture.runAsync(() -> queue.append(2, block(2, 10)), thread -> new Thread(thread).start())
                    .join();
        }

        try (BlockQueue queue = new BlockQueue(directory, false)) {
            assertThat(queue.lastBlock().map(Block::bytes)).hasValue(block(2, 10));
        }
    }

    private static byte[] block(long sequence, int batchLength) {
        return new BlockBuilder()
                .begin(sequence, 0, sequence, new byte[32], new byte[32])
                .add(new byte[32], 1, new byte[batchLength], 0, batchLength)
                .build();
    }
}
