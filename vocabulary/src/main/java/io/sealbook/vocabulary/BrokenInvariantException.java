package io.sealbook.vocabulary;

/**
 * Something that cannot be has been seen: the program or the state that it works on is wrong. No caller handles it. The
 * process stops at once, since a silent replica is safe and a lying one is not.
 */
public class BrokenInvariantException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param fact what was expected, what was found, and where: view, sequence, replica, file */
    public BrokenInvariantException(String fact) {
        super(fact);
    }

    /**
     * @param fact what was expected, what was found, and where
     * @param cause what showed it
     */
    public BrokenInvariantException(String fact, Throwable cause) {
        super(fact, cause);
    }
}
