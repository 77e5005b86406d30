package io.sealbook.node.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigestWindowTest {
    /** The same operations on a map of the library, which keeps its order. */
    @ParameterizedTest
    @CsvSource({"1, 1, 4", "2, 3, 8", "3, 64, 100", "4, 65, 200", "5, 1000, 900", "6, 1000, 100000", "7, 5000, 6000"})
    void shouldDoWhatALinkedMapDoes(long seed, int countMax, int universe) {
        Random random = new Random(seed);
        DigestWindow window = new DigestWindow(countMax, random.nextLong());
        Map<Digest, Long> expected = new LinkedHashMap<>();
        // A ring's place is free again when all before it are: removed entries count until then.
        List<Place> places = new ArrayList<>();

        for (int step = 0; step < 60_000; step++) {
            Digest digest = digest(random.nextInt(universe));
            switch (random.nextInt(8)) {
                case 0 -> {
                    assertThat(window.remove(digest)).isEqualTo(expected.remove(digest) != null);
                    dropRemoved(places, expected);
                }
                case 1 -> {
                    window.removeOldest();
                    if (!places.isEmpty()) {
                        expected.remove(places.removeFirst().digest);
                        dropRemoved(places, expected);
                    }
                }
                default -> {
                    boolean isNew = !expected.containsKey(digest);
                    assertThat(window.putIfAbsent(digest, step)).isEqualTo(isNew);
                    if (isNew) {
                        if (places.size() == countMax) {
                            expected.remove(places.removeFirst().digest);
                            dropRemoved(places, expected);
                        }
                        places.add(new Place(digest, step));
                        expected.put(digest, (long) step);
                    }
                }
            }
            Digest probe = digest(random.nextInt(universe));
            assertThat(window.get(probe)).isEqualTo(expected.getOrDefault(probe, DigestWindow.MISSING));
            assertThat(window.contains(digest)).isEqualTo(expected.containsKey(digest));
            assertThat(window.count()).isEqualTo(expected.size());
            assertThat(window.oldestValue())
                    .isEqualTo(
                            expected.isEmpty()
                                    ? DigestWindow.MISSING
                                    : expected.values().iterator().next());
        }
        expected.forEach((digest, value) -> assertThat(window.get(digest)).isEqualTo(value));
    }

    private record Place(Digest digest, long value) {}

    private static void dropRemoved(List<Place> places, Map<Digest, Long> expected) {
        while (!places.isEmpty() && expected.getOrDefault(places.getFirst().digest, -1L) != places.getFirst().value) {
            places.removeFirst();
        }
    }

    /** Digests that share the words the hash looks at stand in one run of the table. */
    @Test
    void shouldTellDigestsApartThatCollide() {
        DigestWindow window = new DigestWindow(1_000, 0x1234_5678_9ABC_DEF1L);
        for (int i = 0; i < 500; i++) {
            assertThat(window.putIfAbsent(colliding(i), i)).isTrue();
        }
        for (int i = 0; i < 500; i += 3) {
            assertThat(window.remove(colliding(i))).isTrue();
        }
        for (int i = 0; i < 600; i++) {
            boolean isThere = i < 500 && i % 3 != 0;
            assertThat(window.get(colliding(i))).isEqualTo(isThere ? i : DigestWindow.MISSING);
        }
    }

    @Test
    void shouldKeepNothingWhenItHasNoRoom() {
        DigestWindow window = new DigestWindow(0, 1);

        assertThat(window.putIfAbsent(digest(1), 1)).isTrue();
        assertThat(window.contains(digest(1))).isFalse();
        assertThat(window.oldestValue()).isEqualTo(DigestWindow.MISSING);
        window.removeOldest();
        assertThat(window.count()).isZero();
    }

    @Test
    void shouldRefuseTheNumberThatMeansNone() {
        DigestWindow window = new DigestWindow(1, 1);

        assertThatThrownBy(() -> window.putIfAbsent(digest(1), DigestWindow.MISSING))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DigestWindow(-1, 1)).hasMessageContaining("count -1 is not 0..");
    }

    private static Digest digest(int number) {
        return Digest.sha256(ByteBuffer.allocate(4).putInt(number).array());
    }

    private static Digest colliding(int number) {
        return Digest.of(ByteBuffer.allocate(32)
                .putLong(1)
                .putLong(number)
                .putLong(~number)
                .putLong(2)
                .array());
    }
}
