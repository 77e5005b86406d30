package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.Objects;

/**
 * A batch of a session together with all batches of the session before it: each batch names the id of the one before,
 * so the last id fixes them all. Proposals and acknowledgements name nothing else.
 *
 * @param sessionKey broker and session, see {@link SessionKey}
 * @param number of the last batch, 1 or more, unsigned
 * @param id of that batch
 */
public record SessionEnd(long sessionKey, long number, Digest id) {
    /** @throws IllegalArgumentException if the number is 0, which no batch has */
    public SessionEnd {
        Objects.requireNonNull(id, "id");
        if (number == 0) {
            throw new IllegalArgumentException("number 0 of " + SessionKey.name(sessionKey));
        }
    }

    @Override
    public String toString() {
        return SessionKey.name(sessionKey) + " through " + Long.toUnsignedString(number) + " " + id;
    }
}
