package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each header names the last block before it that holds administrative batches. */
class AdministrationBlockTest {
    private static final int BLOCKS_PER_SEGMENT = 4;
    private static final ArchiveConfig CONFIG = Chains.config(BLOCKS_PER_SEGMENT);

    @TempDir
    Path directory;

    private final Random random = new Random(1);

    @Test
    void shouldBeNamedByEachBlockAfterIt() {
        List<byte[]> chain = chain(9, 3, 4, 7);

        assertThat(chain.stream().map(Block::wrap).map(block -> block.header().administrationBlock()))
                .containsExactly(0L, 0L, 0L, 3L, 4L, 4L, 4L, 7L, 7L);
        assertThat(chain.stream().map(Block::wrap).map(Block::lastAdministrationBlock))
                .containsExactly(0L, 0L, 3L, 4L, 4L, 4L, 7L, 7L, 7L);
    }

    @Test
    void shouldNotBeABlockWhoseBatchesOnlyResembleAdministrativeOnes() {
        byte[] batch = administrative();
        for (int at : new int[] {2, 72, 84}) {
            byte[] other = batch.clone();
            other[at] ^= 1;
            Block block = Block.wrap(block(1, Chains.GENESIS_DIGEST, 0, other));
            assertThat(block.hasAdministration()).as("byte %d", at).isFalse();
        }
        assertThat(Block.wrap(block(1, Chains.GENESIS_DIGEST, 0, new byte[152])).hasAdministration())
                .isFalse();
        assertThat(Block.wrap(block(1, Chains.GENESIS_DIGEST, 0, new byte[200], batch))
                        .hasAdministration())
                .isTrue();
    }

    /** Reopened with block 4 the last of a closed segment, with block 6 in an open one. */
    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void shouldBeDemandedOfTheNextBlockBeforeAndAfterReopening(int administration) {
        List<byte[]> chain = chain(administration, administration);
        Digest last = Block.wrap(chain.getLast()).hash();
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            chain.forEach(archive::append);
            assertDemanded(archive, administration + 1, last, administration);
        }
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertDemanded(archive, administration + 1, last, administration);
            archive.append(block(administration + 1, last, administration, new byte[200]));
        }
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertDemanded(archive, administration + 2, archive.lastHash(), administration);
        }
    }

    private void assertDemanded(BlockArchive archive, int sequence, Digest previous, int expected) {
        for (int wrong : new int[] {0, expected - 1, sequence - 1}) {
            if (wrong != expected) {
                assertThatThrownBy(() -> archive.append(block(sequence, previous, wrong, new byte[200])))
                        .isInstanceOf(ChainViolationException.class)
                        .hasMessage("block " + sequence + ": administration block " + wrong + ", expected " + expected);
            }
        }
    }

    @Test
    void shouldBeEarlierThanTheBlockThatNamesIt() {
        for (long wrong : new long[] {7, 8, -1}) {
            assertThatThrownBy(() -> block(7, Digest.ZERO, wrong, new byte[200]))
                    .hasMessage("administrationBlock out of range: " + wrong);
        }
        byte[] bytes = block(7, Digest.ZERO, 6, new byte[200]);
        bytes[136] = 7;
        assertThatThrownBy(() -> Block.wrap(bytes)).isInstanceOf(MalformedBlockException.class);
    }

    @Test
    void shouldBeFoundWrongByAnInspection() throws IOException {
        List<byte[]> chain = new ArrayList<>(chain(4, 2));
        chain.add(block(5, Block.wrap(chain.getLast()).hash(), 1, new byte[200]));
        UncheckedArchive.write(directory, CONFIG, chain);

        try (ArchiveReader archive = ArchiveReader.open(directory, CONFIG)) {
            assertThat(ArchiveInspection.of(archive))
                    .containsExactly(new ArchiveFinding(
                            ArchiveFinding.Kind.BROKEN_CHAIN, "block 5: administration block 1, expected 2"));
        }
    }

    /** Returns blocks 1..count, of which some hold an administrative batch. */
    private List<byte[]> chain(int count, Integer... administration) {
        List<byte[]> chain = new ArrayList<>();
        Digest previous = Chains.GENESIS_DIGEST;
        long last = 0;
        for (int sequence = 1; sequence <= count; sequence++) {
            boolean isAdministration = List.of(administration).contains(sequence);
            byte[] block = block(sequence, previous, last, isAdministration ? administrative() : new byte[200]);
            chain.add(block);
            previous = Block.wrap(block).hash();
            last = isAdministration ? sequence : last;
        }
        return chain;
    }

    private byte[] administrative() {
        return AdministrativeBatch.unsigned(1, BatchPosition.first(0), 1, 0, Chains.bytes(random, 20));
    }

    private static byte[] block(long sequence, Digest previous, long administrationBlock, byte[]... batches) {
        BlockBuilder builder =
                new BlockBuilder().begin(sequence, 0, sequence, Digest.ZERO, previous, administrationBlock);
        for (byte[] batch : batches) {
            Digest id = batch.length > 65 ? BatchId.of(batch) : Digest.ZERO;
            builder.add(id, sequence, batch, 0, batch.length);
        }
        return builder.build();
    }
}
