package io.sealbook.node.session;

import io.sealbook.crypto.VerificationKey;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;

/**
 * A batch of a peer that extends no session here: it, or its number, is in a block, or it does not fit.
 *
 * @param sessionKey of the batch
 * @param position of the batch
 * @param id of the batch
 * @param bytes of the batch with its signature; not changed any more
 * @param key that the batch names
 * @param isVerified whether its signature is known to be that of the key
 */
public record ShownBatch(
        long sessionKey, BatchPosition position, Digest id, byte[] bytes, VerificationKey key, boolean isVerified) {
    /** Returns whether both cannot be in one chain, by their ids: {@link Equivocation#of} judges the bytes. */
    boolean excludes(ShownBatch other) {
        if (sessionKey != other.sessionKey) {
            return false;
        }
        boolean areTwo = position.number() == other.position.number() && !id.equals(other.id);
        return areTwo || isFork(this, other) || isFork(other, this);
    }

    private static boolean isFork(ShownBatch earlier, ShownBatch later) {
        return later.position.number() == earlier.position.number() + 1
                && !later.position.previous().equals(earlier.id);
    }
}
