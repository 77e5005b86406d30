package io.sealbook.node.payload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NonceTableTest {
    private static final int COUNT = 160_000;
    /** Single nonces came to stand up to 68 places from home, runs of eight up to 478. */
    private static final int FARTHEST = 600;

    /** What a broker may choose, the i-th of it. */
    static Stream<Map.Entry<String, LongUnaryOperator>> choices() {
        return Stream.of(
                Map.entry("counted up", i -> i),
                Map.entry("counted down from the end", i -> -i),
                Map.entry("the first of each eight", i -> i << 3),
                Map.entry("the last of each eight", i -> i << 3 | 7),
                Map.entry("equal low halves", i -> i << 32),
                Map.entry("equal but for the highest bits", i -> i << 46),
                Map.entry("bits reversed", Long::reverse),
                Map.entry("odd multiples", i -> i * 0x9E3779B97F4A7C15L),
                Map.entry("two distances", i -> (i & 1) << 50 | (i >>> 1) * 24),
                Map.entry("one home without the key", i -> unmixed(i) << 3));
    }

    @ParameterizedTest
    @MethodSource("choices")
    void shouldStayShortOfLongRunsWhateverABrokerChooses(Map.Entry<String, LongUnaryOperator> choice) {
        for (long key = 1; key <= 5; key++) {
            NonceTable table = new NonceTable(new Random(key).nextLong());
            for (int i = 0; i < COUNT; i++) {
                table.put(choice.getValue().applyAsLong(i), 1, i);
            }

            assertThat(table.heldCount()).isEqualTo(COUNT);
            assertThat(table.farthest()).as("key %d", key).isLessThan(FARTHEST);
        }
    }

    /** The last choice above does collide where its maker knows the key. */
    @Test
    void shouldHaveLongRunsWhenTheKeyIsKnown() {
        NonceTable table = new NonceTable(0);
        for (int i = 0; i < 2_000; i++) {
            table.put(unmixed(i) << 3, 1, i);
        }

        assertThat(table.farthest()).isGreaterThan(1_000);
    }

    @Test
    void shouldNotGrowWhileAsMuchIsForgottenAsIsPut() {
        NonceTable table = new NonceTable(1);
        long nonce = 0;
        for (int block = 1; block <= 10_000; block++) {
            for (int i = 0; i < 100; i++) {
                table.put(nonce++, block + 9, block);
            }
            table.forgetUntil(block);
        }

        assertTaken(table, 900);
        assertThat(table.capacity()).isLessThanOrEqualTo(4_096);
        for (long i = nonce - 2_000; i < nonce; i++) {
            assertThat(table.isTaken(table.find(i))).isEqualTo(i >= nonce - 900);
        }
    }

    @Test
    void shouldHoldAMillionNoncesInTwiceAsManyPlaces() {
        NonceTable table = new NonceTable(1);
        for (long block = 1; block <= 700; block++) {
            table.forgetUntil(block - 1);
            for (int i = 0; i < 1 << 12; i++) {
                table.put(block << 32 | i, block + 255, i);
            }
        }

        assertTaken(table, 1 << 20);
        assertThat(table.capacity()).isEqualTo(1 << 21);
    }

    @Test
    void shouldCountWhatIsForgottenUntilItIsSwept() {
        NonceTable table = new NonceTable(1);
        table.put(1, 1, 0);
        table.put(2, 2, 0);
        table.forgetUntil(1);

        assertThat(table.heldCount()).isEqualTo(2);
        assertTaken(table, 1);
        assertThat(table.heldCount()).isEqualTo(1);
    }

    @Test
    void shouldSweepAcrossTheEndOfTheTable() {
        for (long key = 0; key < 200; key++) {
            NonceTable table = new NonceTable(key);
            for (int i = 0; i < 39; i++) {
                table.put(i * 7, 1 + i % 2, i);
            }

            table.forgetUntil(1);

            assertTaken(table, 19);
            for (int i = 0; i < 39; i++) {
                int at = table.find(i * 7);
                assertThat(table.isTaken(at)).isEqualTo(i % 2 == 1);
                assertThat(table.batch(at)).isEqualTo(i % 2 == 1 ? i : table.batch(at));
            }
        }
    }

    /** By the limit that so many reach and no more; has the table swept, if anything was forgotten. */
    private static void assertTaken(NonceTable table, int count) {
        assertThat(table.isFull(count)).isTrue();
        assertThat(table.isFull(count + 1)).isFalse();
    }

    /**
     * Returns what the hash without a key turns into a number with i below and zeros above, where the place is read.
     */
    private static long unmixed(long i) {
        for (long top = 0; ; top++) {
            long h = (top << 52 | i) * inverse(0xC4CEB9FE1A85EC53L);
            h = (h ^ h >>> 33) * inverse(0xFF51AFD7ED558CCDL);
            h ^= h >>> 33;
            // The nonce has to be eight times as large.
            if (h >>> 61 == 0) {
                return h;
            }
        }
    }

    /** Returns the inverse of an odd number modulo 2^64, by Newton's iteration. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 5; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }
}
