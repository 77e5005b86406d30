package io.sealbook.vocabulary;

/**
 * The world around a correct program failed: a disk is full or broken, a file is damaged, a device is gone. The shell
 * that owns the resource catches it and warns, degrades or stops.
 */
public class OperatingFailureException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final String LOST_PAGE = "unsafe memory access";

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

    /**
     * Returns whether the world around the program is behind a failure, as more room on a disk would have helped. The
     * first cause of a known kind decides: a broken invariant is the program's own, whatever it was found by.
     *
     * @param failure of a thread or a call
     * @param kinds of failures of files and sockets that the caller meets besides this one
     */
    public static boolean isBehind(Throwable failure, Class<?>... kinds) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BrokenInvariantException) {
                return false;
            }
            if (cause instanceof OperatingFailureException || isLostPage(cause) || isOne(cause, kinds)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOne(Throwable cause, Class<?>[] kinds) {
        for (Class<?> kind : kinds) {
            if (kind.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a page of a mapped file got no block on the disk, which the virtual machine sees as SIGBUS. */
    public static boolean isLostPage(Throwable cause) {
        return cause instanceof InternalError
                && cause.getMessage() != null
                && cause.getMessage().contains(LOST_PAGE);
    }

    /** Returns in a line what failed and why: the messages of all causes, without those that another one contains. */
    public static String describe(Throwable failure) {
        StringBuilder line = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
            if (line.indexOf(message) < 0) {
                line.append(line.isEmpty() ? "" : ": ").append(message);
            }
        }
        return line.toString();
    }
}
