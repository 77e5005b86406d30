package io.sealbook.vocabulary;

/**
 * The world around a correct program failed: a disk is full or broken, a file is damaged, a device is gone. The shell
 * that owns the resource catches it and warns, degrades or stops.
 */
public class OperatingFailureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param fact what was attempted, on which file or peer, and what came of it */
    public OperatingFailureException(String fact) {
        super(fact);
    }

    /**
     * @param fact what was attempted, on which file or peer
     * @param cause what failed
     */
    public OperatingFailureException(String fact, Throwable cause) {
        super(fact, cause);
    }
}
