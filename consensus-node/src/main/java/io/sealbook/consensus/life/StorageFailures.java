package io.sealbook.consensus.life;

import io.sealbook.crypto.ModuleFailureException;
import io.sealbook.membership.UnknownProtocolVersionException;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.OperatingFailureException;
import net.openhft.chronicle.core.io.IORuntimeException;

/**
 * Distinguishes a disk that is full or broken from a broken invariant, and from a build that is too old: more room
 * helps against the first only.
 */
public final class StorageFailures {
    /** What the virtual machine makes of SIGBUS: a page of a mapped file got no block on the disk. */
    private static final String LOST_PAGE = "unsafe memory access";

    private StorageFailures() {}

    /** Goes through the causes: the first of a known kind decides. */
    public static boolean isStorage(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BrokenInvariantException || cause instanceof UnknownProtocolVersionException) {
                return false;
            }
            if (cause instanceof OperatingFailureException
                    || cause instanceof IORuntimeException
                    || isLostPage(cause)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLostPage(Throwable cause) {
        return cause instanceof InternalError
                && cause.getMessage() != null
                && cause.getMessage().contains(LOST_PAGE);
    }

    /** A module that is there again helps as more room does. */
    private static boolean isOfModule(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ModuleFailureException) {
                return true;
            }
        }
        return false;
    }

    /** Returns the failure with a message for the operator. */
    static StorageFailureException stopsVoting(Throwable failure) {
        String where = isLostPage(failure)
                ? "a queue's file"
                : isOfModule(failure) ? "the hardware module of the key" : "storage failed";
        return failure instanceof StorageFailureException storage
                ? storage
                : new StorageFailureException(where, failure);
    }
}
