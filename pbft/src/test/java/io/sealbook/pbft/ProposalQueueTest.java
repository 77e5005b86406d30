package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProposalQueueTest {
    private final ProposalQueue queue = new ProposalQueue(2);

    private static PendingBatch batch(int number, int client, long validUntilBlock) {
        return new PendingBatch(TestCluster.batch(TestCluster.batchId(number), client, number, validUntilBlock), 0, 1);
    }

    private PendingBatch add(int number, int client) {
        PendingBatch batch = batch(number, client, 100);
        queue.add(batch);
        return batch;
    }

    private List<Long> take(int countMax) {
        return queue.take(countMax, 50).stream()
                .map(batch -> batch.arrivalTimeNs)
                .toList();
    }

    @Test
    void shouldServeClientsInTurnAndEachFirstInFirstOut() {
        for (int number : new int[] {10, 11, 12}) {
            queue.onHolder(add(number, 1), 1);
        }
        for (int number : new int[] {20, 21}) {
            queue.onHolder(add(number, 2), 1);
        }
        queue.onHolder(add(30, 3), 1);

        assertThat(take(4)).containsExactly(10L, 20L, 30L, 11L);
        assertThat(take(4)).containsExactly(21L, 12L);
        assertThat(queue.readyCount()).isZero();
    }

    @Test
    void shouldHoldBackOnlyTheClientWhoseFirstBatchIsNotAcknowledged() {
        PendingBatch first = add(10, 1);
        queue.onHolder(add(11, 1), 1);
        queue.onHolder(add(20, 2), 1);

        assertThat(take(9)).containsExactly(20L);

        queue.onHolder(first, 2);
        assertThat(take(9)).containsExactly(10L, 11L);
    }

    @Test
    void shouldSkipWhatIsNotValidAnyMoreAndWhatWasRemoved() {
        PendingBatch expired = batch(10, 1, 49);
        queue.add(expired);
        queue.onHolder(expired, 1);
        PendingBatch delivered = add(11, 1);
        queue.onHolder(delivered, 1);
        queue.onHolder(add(12, 1), 1);

        queue.remove(delivered);

        assertThat(queue.readyCount()).isEqualTo(2);
        assertThat(take(9)).containsExactly(12L);
        assertThat(queue.readyCount()).isZero();
    }

    @Test
    void shouldCountAnAcknowledgementOnce() {
        PendingBatch batch = add(10, 1);

        queue.onHolder(batch, 0);
        assertThat(queue.readyCount()).isZero();
        queue.onHolder(batch, 3);
        queue.onHolder(batch, 3);
        assertThat(queue.readyCount()).isEqualTo(1);
    }
}
