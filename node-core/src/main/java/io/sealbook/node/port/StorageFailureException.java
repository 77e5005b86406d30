package io.sealbook.node.port;

import io.sealbook.vocabulary.OperatingFailureException;

/**
 * Archive, replica log or a queue cannot be written, because the disk is full or has failed, or a hardware module does
 * not sign. The node stops voting and ends; what it acknowledged is on its disk, so that it comes back when there is
 * room, or the module signs.
 */
public final class StorageFailureException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    public StorageFailureException(String what, Throwable cause) {
        super("stops voting: " + what + ": " + describe(cause), cause);
    }
}
