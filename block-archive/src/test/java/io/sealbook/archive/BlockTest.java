package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sealbook.vocabulary.Digest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockTest {
    private static final Digest PREVIOUS_HASH = Digest.sha256(new byte[] {1});
    private static final Digest PROPOSAL_DIGEST = Digest.sha256(new byte[] {2});

    @Test
    void shouldGiveBackWhatWasBuilt() {
        byte[] first = {1, 2, 3};
        byte[] second = {9, 4, 5, 6, 7, 9};
        BlockBuilder builder = new BlockBuilder();
        byte[] bytes = builder.begin(7, 3, 1_000, PROPOSAL_DIGEST, PREVIOUS_HASH)
                .add(Digest.sha256(first), 11, first, 0, 3)
                .add(Digest.sha256(second), 12, second, 1, 4)
                .build();
        byte[] padded = new byte[bytes.length + 20];
        System.arraycopy(bytes, 0, padded, 13, bytes.length);

        Block block = Block.wrap(padded, 13, bytes.length);

        assertThat(block.header().sequence()).isEqualTo(7);
        assertThat(block.header().view()).isEqualTo(3);
        assertThat(block.header().blockTimeNs()).isEqualTo(1_000);
        assertThat(block.header().proposalDigest()).isEqualTo(PROPOSAL_DIGEST);
        assertThat(block.header().previousHash()).isEqualTo(PREVIOUS_HASH);
        assertThat(block.batchCount()).isEqualTo(2);
        assertThat(block.batchId(1)).isEqualTo(Digest.sha256(second));
        assertThat(block.batchIdOffset(1)).isEqualTo(13 + BlockHeader.LENGTH + Block.TABLE_ENTRY_LENGTH);
        assertThat(block.arrivalTimeNs(0)).isEqualTo(11);
        assertThat(block.arrivalTimeNs(1)).isEqualTo(12);
        assertThat(Arrays.copyOfRange(padded, block.batchOffset(1), block.batchOffset(1) + block.batchLength(1)))
                .containsExactly(4, 5, 6, 7);
        assertThat(block.hasMerkleRoot()).isTrue();
        assertThat(block.bytes()).isEqualTo(bytes);
        assertThat(block.hash()).isEqualTo(Digest.sha256(Arrays.copyOf(bytes, BlockHeader.LENGTH)));
        assertThat(Block.wrap(bytes).bytes()).isSameAs(bytes);
    }

    @Test
    void shouldBuildEmptyBlockAndReuseTheBuilder() {
        BlockBuilder builder = new BlockBuilder();
        byte[] full = Chains.block(new Random(1), 1, PREVIOUS_HASH, 3, 50);
        byte[] empty = builder.begin(1, 0, 0, PROPOSAL_DIGEST, PREVIOUS_HASH).build();

        assertThat(empty).hasSize(BlockHeader.LENGTH);
        assertThat(Block.wrap(empty).batchCount()).isZero();
        assertThat(Block.wrap(empty).hasMerkleRoot()).isTrue();
        assertThat(builder.begin(1, 0, 0, PROPOSAL_DIGEST, PREVIOUS_HASH).build())
                .isEqualTo(empty);
        assertThat(full).hasSizeGreaterThan(empty.length);
        assertThatIllegalStateException().isThrownBy(builder::build);
    }

    @Test
    void shouldKeepTheLayoutOfTheSecondVersion() {
        byte[] block = new BlockBuilder()
                .begin(0x0102, 1, 3, Digest.ZERO, Digest.ZERO, 0x0101)
                .add(Digest.ZERO, 5, new byte[] {0x55}, 0, 1)
                .build();

        assertThat(HexFormat.of().formatHex(block, 0, 40))
                .isEqualTo("53424c4b" + "0200" + "9000" + "0201000000000000" + "0100000000000000" + "0300000000000000"
                        + "01000000" + "00000000");
        assertThat(HexFormat.of().formatHex(block, 136, 144)).isEqualTo("0101000000000000");
        assertThat(HexFormat.of().formatHex(block, 144 + 32, block.length))
                .isEqualTo("0500000000000000" + "c0000000" + "01000000" + "55");
    }

    @Test
    void shouldRefuseEveryTruncationAndEveryFlippedBitOfTheStructure() {
        byte[] bytes = Chains.block(new Random(3), 1, PREVIOUS_HASH, 3, 20);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> Block.wrap(cut));
        }
        int batches = Block.wrap(bytes).batchCount();
        for (int i = 0; i < batches; i++) {
            int entry = BlockHeader.LENGTH + i * Block.TABLE_ENTRY_LENGTH;
            for (int at = entry + Block.BATCH_OFFSET_OFFSET; at < entry + Block.TABLE_ENTRY_LENGTH; at++) {
                byte[] flipped = bytes.clone();
                flipped[at] ^= 1;
                assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> Block.wrap(flipped));
            }
        }
        for (int at : new int[] {0, 4, 6, 32, 36}) {
            byte[] flipped = bytes.clone();
            flipped[at] ^= 1;
            assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> Block.wrap(flipped));
        }
    }

    @Test
    void shouldRefuseBatchBeyondTheLimits() {
        byte[] large = new byte[Block.LENGTH_MAX];
        BlockBuilder builder = new BlockBuilder().begin(1, 0, 0, PROPOSAL_DIGEST, PREVIOUS_HASH);

        assertThatIllegalArgumentException().isThrownBy(() -> builder.add(Digest.ZERO, 0, large, 0, large.length));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.add(Digest.ZERO, 0, large, 0, 0));
        for (int i = 0; i < Block.BATCH_COUNT_MAX; i++) {
            builder.add(PREVIOUS_HASH, 0, large, 0, 1);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> builder.add(PREVIOUS_HASH, 0, large, 0, 1));
        assertThat(Block.wrap(builder.build()).batchCount()).isEqualTo(Block.BATCH_COUNT_MAX);
    }
}
