package io.sealbook.consensus.follow;

import io.sealbook.vocabulary.OperatingFailureException;

/** Every source of a follower sent something that does not verify; nothing of it was stored. */
public final class FaultySourcesException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    FaultySourcesException(String facts) {
        super("no source is left: " + facts);
    }
}
