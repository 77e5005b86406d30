package io.sealbook.consensus.inspect;

import io.sealbook.consensus.config.NodeDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * Tells whether a node runs in a directory. Both the archive and the replica log of a running node are locked; looking
 * at a lock does not take it.
 */
public final class NodeLocks {
    private NodeLocks() {}

    /** Returns the file that a running node holds; empty if no node runs. */
    public static Optional<Path> held(NodeDirectory files) throws IOException {
        for (Path lock : List.of(
                files.archive().resolve("archive.lock"), files.replicaLog().resolve("lock"))) {
            if (isLocked(lock)) {
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

    private static boolean isLocked(Path file) throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            // The node runs in this very process.
            return true;
        }
    }
}
