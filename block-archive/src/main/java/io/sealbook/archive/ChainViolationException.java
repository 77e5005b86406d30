package io.sealbook.archive;

/** A broken invariant: a block does not follow the last one, or the archive's own blocks form no chain. The node stops at once. */
public final class ChainViolationException extends IllegalStateException {
    ChainViolationException(String fact) {
        super(fact);
    }
}
