package io.sealbook.consensus.inspect;

import io.sealbook.vocabulary.OperatingFailureException;

/** A node runs in the directory: its files change while they are read. */
public final class RunningNodeException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    RunningNodeException(String fact) {
        super(fact);
    }
}
