package io.sealbook.consensus.agent;

/**
 * Archive, replica log or queue cannot be written: the disk is full, or has failed. The node stops voting and stays up to say so; a
 * silent replica is safe.
 */
public final class StorageFailureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StorageFailureException(String what, Throwable cause) {
        super(what + ": " + cause.getMessage(), cause);
    }
}
