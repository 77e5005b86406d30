package io.sealbook.engine.journal;

import io.sealbook.vocabulary.OperatingFailureException;

/** The journal no longer holds the blocks that a reader needs. */
public final class JournalGapException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    JournalGapException(String message) {
        super(message);
    }
}
