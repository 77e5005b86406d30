package io.sealbook.node.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a request for batches may cost whoever answers it. */
class PeerServerTest {
    private static final int BLOCKS = 6;

    @TempDir
    private Path directory;

    private BlockArchive archive;
    private CommittedBlocks blocks;
    /** Of each block the only batch. */
    private final List<BatchRange> ranges = new ArrayList<>();

    private long blockLength;

    @BeforeEach
    void commit() {
        archive = BlockArchive.open(directory, new ArchiveConfig(Digest.ZERO, 64, Durability.PROCESS));
        blocks = new CommittedBlocks(archive, new HeaderDecoding(HeaderDecoding.Policy.ONCE, headers -> {}), 1);
        for (int sequence = 1; sequence <= BLOCKS; sequence++) {
            byte[] signed = signedBatch(sequence);
            Digest id = BatchId.of(signed);
            byte[] block = new BlockBuilder()
                    .begin(sequence, 0, sequence, Digest.ZERO, archive.lastHash())
                    .add(id, sequence, signed, 0, signed.length)
                    .build();
            archive.append(block);
            blocks.publish(Block.wrap(block));
            blockLength = block.length;
            ranges.add(new BatchRange(new SessionEnd(SessionKey.of(1, 0), 1, id), 0, Digest.ZERO));
        }
    }

    @AfterEach
    void close() {
        archive.close();
    }

    private static byte[] signedBatch(long validUntilBlock) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(1)
                .validUntilBlock(validUntilBlock)
                .brokerId(1)
                .ordersCount(1);
        return signed;
    }

    private List<Digest> answer(long bytesReadMax, List<BatchRange> asked) {
        PeerServer server = new PeerServer(new PayloadStore(1 << 20, 4, 0), blocks, archive, bytesReadMax);
        return server.batches(asked).stream().map(PeerServer.FoundBatch::id).toList();
    }

    private static List<Digest> ids(List<BatchRange> ranges) {
        return ranges.stream().map(range -> range.last().id()).toList();
    }

    @Test
    void shouldFindBatchesInBlocks() {
        assertThat(answer(Long.MAX_VALUE, ranges)).isEqualTo(ids(ranges));
    }

    /** Names of batches in turn from two blocks, so that each costs a block. */
    @Test
    void shouldReadNoMoreForOneRequestThanItMay() {
        List<BatchRange> inTurn = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            inTurn.add(ranges.get(i % 2));
        }

        List<Digest> answered = answer(3 * blockLength, inTurn);

        assertThat(answered).startsWith(ids(inTurn.subList(0, 3)).toArray(Digest[]::new));
        assertThat(answered.subList(3, answered.size()))
                .as("of the block that was read last")
                .containsOnly(ranges.get(0).last().id());
    }

    @Test
    void shouldAnswerTheRestOfARequestWhenItIsAskedAgain() {
        assertThat(answer(2 * blockLength, ranges)).isEqualTo(ids(ranges.subList(0, 2)));
        assertThat(answer(2 * blockLength, ranges.subList(2, BLOCKS))).isEqualTo(ids(ranges.subList(2, 4)));
    }
}
