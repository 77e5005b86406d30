package io.sealbook.node.replicalog;

import io.sealbook.archive.storage.StorageException;

/**
 * A write or fsync failed, which is fatal: after a failed fsync the kernel may have dropped the pages and a second
 * fsync would lie. The log refuses everything from then on; the process ends and is restored from what reads back.
 */
public final class ReplicaLogFailedException extends ReplicaLogException {
    ReplicaLogFailedException(String what, StorageException cause) {
        super("replica log: " + what + " failed: " + cause.getMessage(), cause);
    }
}
