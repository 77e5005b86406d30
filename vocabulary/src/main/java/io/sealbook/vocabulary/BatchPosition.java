package io.sealbook.vocabulary;

import java.util.Objects;

/**
 * The position of a batch in its session. The numbers of a session are consecutive from 1, and each batch names the id
 * of the one before: one id fixes all batches of the session up to it. Immutable.
 *
 * @param session which of the broker's sessions, 0..{@link #SESSION_MAX}
 * @param number of the batch, unsigned, 1 or more
 * @param previous id of the batch before; {@link Digest#ZERO} for number 1
 */
public record BatchPosition(int session, long number, Digest previous) {
    /** The highest session that a batch can name; the genesis file admits fewer. */
    public static final int SESSION_MAX = 0xFFFF;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if the session is no unsigned 16-bit number or the number is 0
     */
    public BatchPosition {
        Objects.requireNonNull(previous, "previous");
        if (session < 0 || session > SESSION_MAX) {
            throw new IllegalArgumentException("session " + session + ", expected 0.." + SESSION_MAX);
        }
        if (number == 0) {
            throw new IllegalArgumentException("number 0, batches count from 1");
        }
    }

    /** Returns the position of a session's first batch. */
    public static BatchPosition first(int session) {
        return new BatchPosition(session, 1, Digest.ZERO);
    }

    /** Returns the position after this one, given the id of the batch at this one. */
    public BatchPosition after(Digest batchId) {
        return new BatchPosition(session, number + 1, batchId);
    }
}
