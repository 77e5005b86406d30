package io.sealbook.consensus.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.BlockLocation;
import io.sealbook.handoff.HandOffQueues;
import io.sealbook.handoff.HandOffReader;
import io.sealbook.handoff.HandedBlock;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class BlockQueueTest {
    @TempDir
    private Path directory;

    @Test
    void shouldHandOverEachBlockOnce() {
        try (BlockQueue queue = new BlockQueue(directory, Durability.PROCESS)) {
            queue.append(block(1));
            queue.append(block(2));
        }

        try (BlockQueue queue = new BlockQueue(directory, Durability.DISK)) {
            assertThat(queue.lastSequence()).isEqualTo(2);
            queue.append(block(2));
            queue.append(block(3));
            assertThatThrownBy(() -> queue.append(block(5))).hasMessageContaining("ends at 3, cannot append 5");
        }

        try (ChronicleQueue queue = HandOffQueues.openForReading(directory);
                ExcerptTailer tailer = queue.createTailer()) {
            Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap();
            for (int sequence = 1; sequence <= 3; sequence++) {
                bytes.clear();
                assertThat(tailer.readBytes(bytes)).isTrue();
                assertThat(bytes.toByteArray()).isEqualTo(block(sequence).encode());
            }
            bytes.clear();
            assertThat(tailer.readBytes(bytes)).isFalse();
        }
    }

    @Test
    void shouldNotGoOnBehindAnExcerptThatIsNoLocation() {
        try (ChronicleQueue queue = HandOffQueues.openForWriting(directory)) {
            queue.createAppender().writeBytes(out -> out.write(new byte[200]));
        }

        assertThatThrownBy(() -> new BlockQueue(directory, Durability.PROCESS))
                .hasMessageContaining("200 bytes are no");
    }

    @Test
    void shouldGoOnWhereAKilledWriterLeftAnExcerptUnfinished() {
        try (BlockQueue queue = new BlockQueue(directory, Durability.PROCESS)) {
            queue.append(block(1));
        }
        ChronicleQueue killed = HandOffQueues.openForWriting(directory);
        DocumentContext unfinished = killed.createAppender().writingDocument();
        unfinished.wire().bytes().write(new byte[100]);

        try (BlockQueue queue = new BlockQueue(directory, Durability.PROCESS)) {
            assertThat(queue.lastSequence()).isEqualTo(1);
            queue.append(block(2));
        }

        try (BlockQueue queue = new BlockQueue(directory, Durability.PROCESS)) {
            assertThat(queue.last().map(BlockLocation::encode)).hasValue(block(2).encode());
        }
        killed.close();
    }

    /** Start-up appends what only the archive holds, then the committer goes on. */
    @Test
    void shouldBeHandedFromTheStartingThreadToTheCommitter() {
        try (BlockQueue queue = new BlockQueue(directory, Durability.DISK)) {
            queue.append(block(1));
            CompletableFuture.runAsync(() -> queue.append(block(2)), thread -> new Thread(thread).start())
                    .join();
        }

        try (BlockQueue queue = new BlockQueue(directory, Durability.PROCESS)) {
            assertThat(queue.last().map(BlockLocation::encode)).hasValue(block(2).encode());
        }
    }

    @Test
    void shouldCarryTheBlockItselfIfTheNodeIsSetSo() {
        byte[] bytes = new byte[500];
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        BlockLocation place = new BlockLocation(1, Digest.sha256(bytes), 1, 1_000, bytes.length, (int) crc.getValue());
        try (BlockQueue queue = new BlockQueue(directory, Durability.PROCESS, sequence -> Optional.of(bytes))) {
            queue.append(place);
        }

        try (HandOffReader<HandedBlock> reader = HandOffReader.ofBlocks(directory)) {
            HandedBlock handed = reader.read().orElseThrow();
            assertThat(handed.location()).isEqualTo(place);
            assertThat(handed.block()).hasValue(bytes);
        }
    }

    private static BlockLocation block(long sequence) {
        Digest hash = Digest.sha256(new byte[] {(byte) sequence});
        return new BlockLocation(sequence, hash, 1, 1_000 * sequence, 500, (int) sequence);
    }
}
