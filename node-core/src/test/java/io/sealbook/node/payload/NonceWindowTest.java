package io.sealbook.node.payload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.payload.NonceWindow.Use;
import io.sealbook.vocabulary.Digest;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NonceWindowTest {
    private static final Digest ONE = Digest.sha256(new byte[] {1});
    private static final Digest TWO = Digest.sha256(new byte[] {2});

    private final NonceWindow window = new NonceWindow(3, 1);

    @Test
    void shouldTellTheSameBatchFromAnother() {
        assertThat(window.take(1, 7, 100, ONE)).isEqualTo(Use.FREE);

        assertThat(window.take(1, 7, 100, ONE)).isEqualTo(Use.SAME_BATCH);
        assertThat(window.take(1, 7, 100, TWO)).isEqualTo(Use.OTHER_BATCH);
        assertThat(window.take(2, 7, 100, TWO))
                .as("nonces are each broker's own")
                .isEqualTo(Use.FREE);
    }

    @Test
    void shouldRememberWhatWasCommitted() {
        window.take(1, 7, 100, ONE);
        window.committed(1, 7, 100, ONE);

        window.release(1, 7, ONE);

        assertThat(window.take(1, 7, 100, ONE)).isEqualTo(Use.COMMITTED);
        assertThat(window.take(1, 7, 100, TWO)).isEqualTo(Use.OTHER_BATCH);
    }

    @Test
    void shouldForgetWhatCannotBeOrderedAnyMore() {
        window.committed(1, 7, 100, ONE);
        window.committed(1, 8, 101, TWO);

        window.forgetBefore(100);

        assertThat(window.take(1, 7, 200, TWO)).isEqualTo(Use.FREE);
        assertThat(window.take(1, 8, 101, TWO)).isEqualTo(Use.COMMITTED);
    }

    @Test
    void shouldBoundEachBroker() {
        for (int nonce = 0; nonce < 3; nonce++) {
            assertThat(window.take(1, nonce, 100, ONE)).isEqualTo(Use.FREE);
        }

        assertThat(window.take(1, 3, 100, ONE)).isEqualTo(Use.FULL);
        assertThat(window.take(2, 3, 100, ONE)).isEqualTo(Use.FREE);
        window.release(1, 0, ONE);
        assertThat(window.take(1, 3, 100, ONE)).isEqualTo(Use.FREE);
    }

    @Test
    void shouldBoundEachBrokerByWhatIsNotForgotten() {
        for (int nonce = 0; nonce < 3; nonce++) {
            window.take(1, nonce, 100 + nonce, ONE);
        }

        window.forgetBefore(100);

        assertThat(window.take(1, 3, 200, ONE)).isEqualTo(Use.FREE);
        assertThat(window.take(1, 4, 200, ONE)).isEqualTo(Use.FULL);
        assertThat(window.heldCount()).isEqualTo(3);
    }

    @Test
    void shouldKeepWhatCameLateUntilTheNextBlockIsForgotten() {
        window.forgetBefore(100);
        window.committed(1, 7, 100, ONE);

        assertThat(window.take(1, 7, 100, ONE)).isEqualTo(Use.COMMITTED);
        window.forgetBefore(101);
        assertThat(window.take(1, 7, 200, TWO)).isEqualTo(Use.FREE);
    }

    @Test
    void shouldForgetOfABrokerThatCameLater() {
        window.forgetBefore(100);
        window.take(9, 7, 50, ONE);

        window.forgetBefore(99);

        assertThat(window.take(9, 7, 50, ONE)).isEqualTo(Use.SAME_BATCH);
    }

    /**
     * The same operations on a map of the library. Validity is never longer than 60 blocks, but one in 50 is of a
     * peer's choice.
     */
    @ParameterizedTest
    @CsvSource({"1, 3, 8", "2, 40, 60", "3, 400, 1000", "4, 2000, 100000", "5, 100000, 5000", "6, 100000, 1000000"})
    void shouldDoWhatAMapDoes(long seed, int noncesPerBrokerMax, int universe) {
        Random random = new Random(seed);
        NonceWindow window = new NonceWindow(noncesPerBrokerMax, random.nextLong());
        Map<Key, Entry> expected = new HashMap<>();
        int[] counts = new int[3];
        long block = 0;

        for (int step = 0; step < 60_000; step++) {
            int broker = random.nextInt(counts.length);
            int number = random.nextInt(universe);
            // Counted up, far apart, or anything.
            long nonce = broker == 0 ? number : broker == 1 ? (long) number << 40 : number * 0x9E3779B97F4A7C15L;
            Key key = new Key(broker, nonce);
            Entry known = expected.get(key);
            Digest batch = random.nextBoolean() ? ONE : TWO;
            long validUntil = random.nextInt(50) == 0 ? random.nextLong() >>> 1 : block + random.nextInt(60);
            switch (random.nextInt(16)) {
                case 0 -> {
                    window.release(broker, nonce, batch);
                    if (known != null && !known.isCommitted && known.batch == batch) {
                        expected.remove(key);
                        counts[broker]--;
                    }
                }
                case 1, 2, 3, 4 -> {
                    window.committed(broker, nonce, validUntil, batch);
                    expected.put(key, new Entry(batch, true, Math.max(validUntil, block + 1)));
                    counts[broker] += known == null ? 1 : 0;
                }
                case 5 -> {
                    block += random.nextInt(3);
                    window.forgetBefore(block);
                    window.forgetBefore(block - 5);
                    long forgotten = block;
                    expected.entrySet().removeIf(entry -> {
                        boolean isForgotten = entry.getValue().lastBlock <= forgotten;
                        counts[entry.getKey().broker] -= isForgotten ? 1 : 0;
                        return isForgotten;
                    });
                }
                default -> {
                    Use use = known == null
                            ? counts[broker] < noncesPerBrokerMax ? Use.FREE : Use.FULL
                            : known.batch != batch
                                    ? Use.OTHER_BATCH
                                    : known.isCommitted ? Use.COMMITTED : Use.SAME_BATCH;
                    assertThat(window.take(broker, nonce, validUntil, batch)).isEqualTo(use);
                    if (use == Use.FREE) {
                        expected.put(key, new Entry(batch, false, Math.max(validUntil, block + 1)));
                        counts[broker]++;
                    }
                }
            }
            Entry now = expected.get(key);
            assertThat(window.isCommitted(broker, nonce, batch))
                    .isEqualTo(now != null && now.isCommitted && now.batch == batch);
            if (step % 1_000 == 0) {
                assertThat(window.heldCount()).isGreaterThanOrEqualTo(expected.size());
            }
        }
        expected.forEach((key, entry) -> assertThat(window.take(key.broker, key.nonce, 0, entry.batch))
                .isEqualTo(entry.isCommitted ? Use.COMMITTED : Use.SAME_BATCH));
        // Nothing else is taken: each broker has exactly so much room left.
        for (int broker = 0; broker < counts.length; broker++) {
            for (; counts[broker] < noncesPerBrokerMax; counts[broker]++) {
                assertThat(window.take(broker, random.nextLong(), Long.MAX_VALUE, ONE))
                        .isEqualTo(Use.FREE);
            }
            assertThat(window.take(broker, random.nextLong(), Long.MAX_VALUE, ONE))
                    .isEqualTo(Use.FULL);
        }
    }

    private record Key(int broker, long nonce) {}

    private record Entry(Digest batch, boolean isCommitted, long lastBlock) {}
}
