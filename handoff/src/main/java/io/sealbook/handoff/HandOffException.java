package io.sealbook.handoff;

import io.sealbook.vocabulary.OperatingFailureException;

/**
 * A queue holds an excerpt that is damaged or none of this hand-off, or its directory cannot be written; the message
 * names the queue and the fact.
 */
public final class HandOffException extends OperatingFailureException {
    private static final long serialVersionUID = 1;

    HandOffException(String fact, Throwable cause) {
        super(fact, cause);
    }
}
