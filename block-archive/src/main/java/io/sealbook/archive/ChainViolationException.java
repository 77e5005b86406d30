package io.sealbook.archive;

import io.sealbook.vocabulary.BrokenInvariantException;

/**
 * A broken invariant: a block does not follow the last one, or the archive's own blocks form no chain. The node stops
 * at once.
 */
public final class ChainViolationException extends BrokenInvariantException {
    /** @param fact what was expected and what was found */
    public ChainViolationException(String fact) {
        super(fact);
    }
}
