package io.sealbook.archive.storage;

import io.sealbook.vocabulary.OperatingFailureException;

/** A file or a directory cannot be read or written: the device is full, has failed, or is used by another process. */
public final class StorageException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    /**
     * @param fact what was attempted, on which file
     * @param cause what the device or the system said; null when there is no more to say
     */
    public StorageException(String fact, Throwable cause) {
        super(cause == null ? fact : fact + ": " + cause.getMessage(), cause);
    }
}
