package io.sealbook.node.session;

import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchView;

/**
 * Two signed batches of one session under one number: proof that their broker signed both.
 *
 * @param sessionKey of both
 * @param number of both
 * @param first the batch that the node held, with its signature; not changed
 * @param second the batch that came later, with its signature; not changed
 */
public record Equivocation(long sessionKey, long number, byte[] first, byte[] second) {
    /**
     * Reads session and number from the first batch.
     *
     * @param first a signed batch
     * @param second a signed batch of the same position
     * @throws IllegalArgumentException if they are not two batches of one session and number
     */
    public static Equivocation of(byte[] first, byte[] second) {
        BatchView one = new BatchView().wrap(first);
        BatchView other = new BatchView().wrap(second);
        if (one.sessionKey() != other.sessionKey() || one.number() != other.number()) {
            throw new IllegalArgumentException("batches of different sessions or numbers prove nothing");
        }
        if (BatchId.of(first).equals(BatchId.of(second))) {
            throw new IllegalArgumentException("one batch proves nothing, however often it was signed");
        }
        return new Equivocation(one.sessionKey(), one.number(), first, second);
    }
}
