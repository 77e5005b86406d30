package io.sealbook.consensus.inspect;

import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.lock.LockFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Tells whether a node runs in a directory. Both the archive and the replica log of a running node are locked. A look
 * at a lock that no node holds takes it for an instant: a node that starts in that instant is refused.
 */
public final class NodeLocks {
    private NodeLocks() {}

    /** Returns the file that a running node holds; empty if no node runs. */
    public static Optional<Path> held(NodeDirectory files) throws IOException {
        for (Path lock : List.of(
                files.archive().resolve("archive.lock"), files.replicaLog().resolve("lock"))) {
            if (LockFile.isHeld(lock)) {
                return Optional.of(lock);
            }
        }
        return Optional.empty();
    }

    static void refuseRunningNode(NodeDirectory files) throws IOException {
        Optional<Path> held = held(files);
        if (held.isPresent()) {
            throw new RunningNodeException("a node runs in " + files.root() + ": it holds " + held.get());
        }
    }
}
