package io.sealbook.node.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The batches of a block are found from the last one of each range back to the first. */
class BlockBatchesTest {
    private final PayloadStore store = new PayloadStore(1 << 20, 4, 0);
    private final Payload first = stored(1, Digest.ZERO);
    private final Payload second = stored(2, first.batchId());
    private final Payload third = stored(3, second.batchId());

    private Payload stored(long number, Digest previous) {
        byte[] signed = {(byte) number};
        BatchPosition position = new BatchPosition(0, number, previous);
        Payload payload = new Payload(Digest.sha256(signed), signed, 1, position, 100, 1, 0, 1, 1);
        store.put(payload);
        return payload;
    }

    private static SessionEnd end(Payload payload) {
        return new SessionEnd(payload.sessionKey(), payload.number(), payload.batchId());
    }

    private List<Payload> batches(BatchRange range) {
        return BlockBatches.of(new Proposal(0, 1, 1, Digest.ZERO, List.of(range.last())), List.of(range), false, store);
    }

    @Test
    void shouldReturnTheBatchesOfARangeInTheOrderOfTheirNumbers() {
        assertThat(batches(new BatchRange(end(third), 0, Digest.ZERO))).containsExactly(first, second, third);
        assertThat(batches(new BatchRange(end(third), 1, first.batchId()))).containsExactly(second, third);
    }

    @Test
    void shouldRefuseARangeThatContinuesAnotherBatch() {
        assertThatThrownBy(() -> batches(new BatchRange(end(third), 1, Digest.sha256(new byte[] {9}))))
                .isInstanceOf(BrokenInvariantException.class)
                .hasMessageContaining("that follows batch");
    }

    @Test
    void shouldRefuseARangeOfWhichABatchIsMissing() {
        store.remove(second.batchId());

        assertThatThrownBy(() -> batches(new BatchRange(end(third), 0, Digest.ZERO)))
                .isInstanceOf(BrokenInvariantException.class)
                .hasMessageContaining("without payload");
    }
}
