package io.sealbook.pbft;

import io.sealbook.vocabulary.BrokenInvariantException;

/**
 * Something that cannot be, with at most f faulty replicas and a correct shell, has been seen: the shell must stop the
 * replica.
 */
public final class InvariantViolation extends BrokenInvariantException {
    private static final long serialVersionUID = 1;

    /** @param fact expected, seen, view, sequence, replica */
    public InvariantViolation(String fact) {
        super(fact);
    }
}
