package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidityQueueTest {
    @Test
    void shouldGiveTheBatchesOfABlockInTheOrderOfArrival() {
        ValidityQueue queue = new ValidityQueue();
        PendingBatch late = batch(8);
        PendingBatch first = batch(7);
        PendingBatch removed = batch(7);
        PendingBatch second = batch(7);
        List.of(late, first, removed, second).forEach(queue::add);

        queue.remove(removed);

        assertThat(queue.poll(6)).isNull();
        assertThat(queue.poll(7)).isSameAs(first);
        assertThat(queue.poll(7)).isSameAs(second);
        assertThat(queue.poll(7)).isNull();
        assertThat(queue.poll(8)).isSameAs(late);
        assertThat(queue.poll(Long.MAX_VALUE)).isNull();
    }

    /** The same operations on sets of the library, which keep their order. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 10", "4, 1000"})
    void shouldDoWhatSetsInATreeDo(long seed, int blocks) {
        Random random = new Random(seed);
        ValidityQueue queue = new ValidityQueue();
        TreeMap<Long, LinkedHashSet<PendingBatch>> expected = new TreeMap<>();
        List<PendingBatch> held = new ArrayList<>();

        for (int step = 0; step < 20_000; step++) {
            if (held.isEmpty() || random.nextInt(100) < 52) {
                PendingBatch batch = batch(random.nextInt(blocks));
                queue.add(batch);
                held.add(batch);
                expected.computeIfAbsent(batch.expiresAt, block -> new LinkedHashSet<>())
                        .add(batch);
                continue;
            }
            PendingBatch leaving = held.get(random.nextInt(held.size()));
            if (random.nextBoolean()) {
                queue.remove(leaving);
            } else {
                long block = random.nextInt(blocks);
                leaving = expected.firstKey() > block
                        ? null
                        : expected.firstEntry().getValue().getFirst();
                assertThat(queue.poll(block)).isSameAs(leaving);
            }
            if (leaving != null) {
                held.remove(leaving);
                expected.get(leaving.expiresAt).remove(leaving);
                expected.values().removeIf(LinkedHashSet::isEmpty);
            }
        }
    }

    private static PendingBatch batch(long validUntilBlock) {
        return new PendingBatch(TestCluster.batch(Digest.ZERO, 1, 0, validUntilBlock), 0, 0);
    }
}
