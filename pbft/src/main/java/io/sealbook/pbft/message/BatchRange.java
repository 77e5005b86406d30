package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.Objects;

/**
 * Consecutive batches of a session. The id of the last one fixes them all, and the id before the first one says which
 * batches they continue.
 *
 * @param last batch of the range
 * @param after number before the first batch of the range, below the last one; 0 if the range begins the session
 * @param afterId id of the batch with that number; zeros if the range begins the session
 */
public record BatchRange(SessionEnd last, long after, Digest afterId) {
    /** @throws IllegalArgumentException if the range holds no batch */
    public BatchRange {
        Objects.requireNonNull(last, "last");
        Objects.requireNonNull(afterId, "afterId");
        if (Long.compareUnsigned(last.number(), after) <= 0) {
            throw new IllegalArgumentException(last + " is not after number " + Long.toUnsignedString(after));
        }
    }

    public long sessionKey() {
        return last.sessionKey();
    }

    /** Returns how many batches the range has. */
    public long count() {
        return last.number() - after;
    }

    @Override
    public String toString() {
        return SessionKey.name(sessionKey()) + " from " + Long.toUnsignedString(after + 1) + " through "
                + Long.toUnsignedString(last.number()) + " " + last.id();
    }
}
