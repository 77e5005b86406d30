package io.sealbook.node.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecentBatchesTest {
    private static final int PART = 1 << 14;
    private static final long SEED = 20_261_125;

    private final Random random = new Random(SEED);

    private Digest id(long number) {
        return Digest.sha256(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    @Test
    void shouldFindEachBatchOfTheLastBlocksAndNoOther() {
        RecentBatches batches = new RecentBatches(1 << 20, 64, random.nextLong());
        Map<Long, Long> blocks = new HashMap<>();
        long number = 0;
        long last = 300;
        for (long block = 1; block <= last; block++) {
            for (int i = random.nextInt(1_500); i >= 0; i--) {
                blocks.put(++number, block);
                batches.put(id(number), block);
            }
        }
        for (long each = 1; each <= number; each++) {
            long block = blocks.get(each);
            assertThat(batches.sequenceOf(id(each)))
                    .isEqualTo(block > last - 64 ? OptionalLong.of(block) : OptionalLong.empty());
        }
        assertThat(batches.sequenceOf(id(number + 1))).isEmpty();
    }

    @Test
    void shouldForgetTheOldestOfTooManyBatches() {
        RecentBatches batches = new RecentBatches(2 * PART, 1_000_000, random.nextLong());
        for (long number = 1; number <= 5 * PART + 1; number++) {
            batches.put(id(number), number);
        }
        assertThat(batches.sequenceOf(id(5 * PART + 1))).hasValue(5 * PART + 1);
        assertThat(batches.sequenceOf(id(4 * PART + 1))).hasValue(4 * PART + 1);
        assertThat(batches.sequenceOf(id(3 * PART))).isEmpty();
        assertThat(batches.sequenceOf(id(1))).isEmpty();
    }

    /** Sequences far apart share no part: a place has 32 bits for the block. */
    @Test
    void shouldFindBatchesOfBlocksThatAreFarApart() {
        RecentBatches batches = new RecentBatches(4 * PART, 1 << 30, random.nextLong());
        long far = 1L << 40;
        batches.put(id(1), 1);
        batches.put(id(2), 1 + (1 << 30));
        batches.put(id(3), far);

        assertThat(batches.sequenceOf(id(1))).isEmpty();
        assertThat(batches.sequenceOf(id(2))).isEmpty();
        assertThat(batches.sequenceOf(id(3))).hasValue(far);
        batches.put(id(4), far + (1 << 30) - 1);
        assertThat(batches.sequenceOf(id(3))).hasValue(far);
    }

    @Test
    void shouldTellIdsApartThatDifferInFewBits() {
        RecentBatches batches = new RecentBatches(1 << 20, 1_000, random.nextLong());
        for (int bit = 0; bit < 8 * Digest.LENGTH; bit++) {
            batches.put(withBit(bit), 1 + bit);
        }
        for (int bit = 0; bit < 8 * Digest.LENGTH; bit++) {
            assertThat(batches.sequenceOf(withBit(bit))).hasValue(1 + bit);
        }
        assertThat(batches.sequenceOf(Digest.ZERO)).isEmpty();
    }

    private static Digest withBit(int bit) {
        byte[] bytes = new byte[Digest.LENGTH];
        bytes[bit / 8] = (byte) (1 << bit % 8);
        return Digest.of(bytes);
    }

    @Test
    void shouldHoldNothingIfItMayNot() {
        RecentBatches batches = new RecentBatches(0, 10, 1);
        batches.put(id(1), 1);

        assertThat(batches.sequenceOf(id(1))).isEmpty();
    }
}
