package io.sealbook.node.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.session.SessionHead;
import io.sealbook.node.session.SessionHeads;
import io.sealbook.node.session.Sessions;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The heads of sessions after a restart: with their file, without it, and with a block that cannot be read. */
class HeadsAtStartTest {
    private static final int SESSION = 2;
    private static final long KEY = SessionKey.of(7, SESSION);
    private static final int BLOCKS = 6;
    private static final int BLOCKS_PER_SEGMENT = 2;

    @TempDir
    private Path directory;

    private final List<Digest> ids = new ArrayList<>(List.of(Digest.ZERO));
    private final List<Digest> hashes = new ArrayList<>(List.of(Digest.ZERO));
    private long blocksRead;

    @Test
    void shouldReadAllBlocksWithoutAFile() {
        appendBlocks();

        assertThat(restored().head(KEY)).isEqualTo(head(BLOCKS));
        assertThat(blocksRead).isEqualTo(BLOCKS);
    }

    @Test
    void shouldReadOnlyTheBlocksAfterTheFile() throws IOException {
        appendBlocks();
        writeHeads(4, hashes.get(4));
        flipBitOf(3);

        assertThat(restored().head(KEY)).isEqualTo(head(BLOCKS));
        assertThat(blocksRead).as("nothing to report").isZero();
    }

    @Test
    void shouldTakeNoFileOfAnotherArchive() {
        appendBlocks();
        writeHeads(4, ids.get(4));

        assertThat(restored().head(KEY)).isEqualTo(head(BLOCKS));
        assertThat(blocksRead).isEqualTo(BLOCKS);
    }

    /** Without the numbers in it the node would build other blocks than the members do. */
    @Test
    void shouldNameADamagedBlockThatMustBeRead() throws IOException {
        appendBlocks();
        flipBitOf(3);
        flipBitOf(5);

        assertThatThrownBy(this::restored)
                .isInstanceOf(BlockDamagedException.class)
                .hasMessageContaining("block 3");
        writeHeads(4, hashes.get(4));
        assertThatThrownBy(this::restored)
                .isInstanceOf(BlockDamagedException.class)
                .hasMessageContaining("block 5");
    }

    private Sessions restored() {
        Sessions sessions = new Sessions();
        try (BlockArchive archive = archive();
                SessionHeads file = heads()) {
            new HeadsAtStart(archive, file).restore(sessions, new NoEvents() {
                @Override
                public void headsRebuilt(long blockCount) {
                    blocksRead = blockCount;
                }
            });
        }
        return sessions;
    }

    private SessionHead head(int number) {
        return new SessionHead(KEY, number, ids.get(number), number, ids.get(number), false);
    }

    private void writeHeads(int sequence, Digest blockHash) {
        try (SessionHeads file = heads()) {
            file.write(new SessionHeads.AtBlock(
                    sequence, blockHash, List.of(new SessionHeads.Delivered(KEY, sequence, ids.get(sequence)))));
        }
    }

    /** One block for each number of the session. */
    private void appendBlocks() {
        try (BlockArchive archive = archive()) {
            for (int i = 1; i <= BLOCKS; i++) {
                byte[] batch = batch(7, i, ids.get(i - 1));
                ids.add(BatchId.of(batch));
                append(archive, i, batch);
            }
        }
    }

    private void append(BlockArchive archive, int sequence, byte[] batch) {
        Block block = Block.wrap(new BlockBuilder()
                .begin(sequence, 0, sequence, Digest.ZERO, hashes.get(sequence - 1))
                .add(BatchId.of(batch), sequence, batch, 0, batch.length)
                .build());
        hashes.add(block.hash());
        archive.append(block.bytes());
    }

    private static byte[] batch(int brokerId, long number, Digest previous) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(number)
                .putPrevious(previous.bytes(), 0, Digest.LENGTH)
                .brokerId(brokerId)
                .session(SESSION)
                .ordersCount(1);
        return signed;
    }

    private void flipBitOf(int sequence) throws IOException {
        long offset;
        int length;
        try (BlockArchive archive = archive()) {
            offset = archive.facts(sequence).orElseThrow().offset();
            length = archive.facts(sequence).orElseThrow().length();
        }
        Path file;
        try (Stream<Path> files = Files.list(directory.resolve("archive"))) {
            file = files.filter(found -> found.toString().endsWith(".blocks"))
                    .sorted()
                    .toList()
                    .get((sequence - 1) / BLOCKS_PER_SEGMENT);
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) offset + length / 2] ^= 1;
        Files.write(file, bytes);
    }

    private BlockArchive archive() {
        return BlockArchive.open(
                directory.resolve("archive"), new ArchiveConfig(Digest.ZERO, BLOCKS_PER_SEGMENT, Durability.PROCESS));
    }

    private SessionHeads heads() {
        return SessionHeads.open(FileStorage.open(directory.resolve("heads")));
    }
}
