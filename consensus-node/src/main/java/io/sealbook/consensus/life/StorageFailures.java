package io.sealbook.consensus.life;

import io.sealbook.crypto.ModuleFailureException;
import io.sealbook.membership.UnknownProtocolVersionException;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import net.openhft.chronicle.core.io.IORuntimeException;

/**
 * Distinguishes a disk that is full or broken from a broken invariant, and from a build that is too old: more room
 * helps against the first only.
 */
public final class StorageFailures {
    private StorageFailures() {}

    /** Goes through the causes, those of Chronicle Queue among them, which does not always name an I/O error. */
    public static boolean isStorage(Throwable failure) {
        return !has(UnknownProtocolVersionException.class, failure)
                && OperatingFailureException.isBehind(failure, IOException.class, IORuntimeException.class);
    }

    private static boolean has(Class<? extends Throwable> kind, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the failure with a message for the operator. */
    static StorageFailureException stopsVoting(Throwable failure) {
        String where = OperatingFailureException.isLostPage(failure)
                ? "a queue's file"
                // A module that is there again helps as more room does.
                : has(ModuleFailureException.class, failure) ? "the hardware module of the key" : "storage failed";
        return failure instanceof StorageFailureException storage
                ? storage
                : new StorageFailureException(where, failure);
    }
}
