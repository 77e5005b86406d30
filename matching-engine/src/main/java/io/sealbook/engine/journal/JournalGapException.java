package io.sealbook.engine.journal;

/** The journal no longer holds the blocks that a reader needs. */
public final class JournalGapException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JournalGapException(String message) {
        super(message);
    }
}
