package io.sealbook.node.session;

import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import java.util.Optional;

/**
 * Two signed batches of one session that exclude each other: they have one number, or the later one names another batch
 * than the earlier one as the batch before it. Either proves that their broker signed two batches under one number.
 *
 * @param sessionKey of both
 * @param number under which the broker signed two batches
 * @param first the batch that the node held, with its signature; not changed
 * @param second the batch that came later, with its signature; not changed
 */
public record Equivocation(long sessionKey, long number, byte[] first, byte[] second) {
    /**
     * Returns what two signed batches prove, empty if nothing: they may be of one chain, are of different sessions, or
     * have the number 0, which no batch has.
     *
     * @param first a signed batch
     * @param second a signed batch
     */
    public static Optional<Equivocation> of(byte[] first, byte[] second) {
        BatchView one = new BatchView().wrap(first);
        BatchView other = new BatchView().wrap(second);
        if (one.number() == 0 || other.number() == 0) {
            return Optional.empty();
        }
        Digest firstId = BatchId.of(first);
        Digest secondId = BatchId.of(second);
        boolean areTwo = one.number() == other.number() && !firstId.equals(secondId);
        boolean exclude = areTwo || isFork(firstId, one, other) || isFork(secondId, other, one);
        return exclude && one.sessionKey() == other.sessionKey()
                ? Optional.of(new Equivocation(one.sessionKey(), Math.min(one.number(), other.number()), first, second))
                : Optional.empty();
    }

    private static boolean isFork(Digest earlierId, BatchView earlier, BatchView later) {
        return later.number() == earlier.number() + 1 && !later.previous().equals(earlierId);
    }
}
