package io.sealbook.engine.rebuild;

import io.sealbook.vocabulary.OperatingFailureException;

/** The engine ends because its result is not that of the others; its next start builds its state again. */
public final class EngineRebuildException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    public EngineRebuildException(String fact) {
        super(fact);
    }
}
