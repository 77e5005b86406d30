package io.sealbook.engine.matching;

import io.sealbook.engine.snapshot.SnapshotHeader;
import io.sealbook.engine.snapshot.SnapshotStore;
import io.sealbook.engine.snapshot.StagedSnapshot;
import io.sealbook.engine.snapshot.UnfinishedSnapshot;
import io.sealbook.matching.CoreSnapshot;
import io.sealbook.matching.MatchingCore;
import java.io.IOException;
import java.util.Optional;

/**
 * A snapshot that the thread of the core writes between blocks, a portion at a time. Only portions hold blocks up;
 * their longest is the pause that is reported.
 */
final class SnapshotInProgress {
    /** Orders of a portion: a few hundred microseconds. */
    static final int PORTION = 2_048;

    private final UnfinishedSnapshot file;
    private final CoreSnapshot core;
    private long longestNs;

    private SnapshotInProgress(UnfinishedSnapshot file, CoreSnapshot core) {
        this.file = file;
        this.core = core;
    }

    /**
     * Begins a snapshot of the state of now, between two blocks.
     *
     * @throws java.io.UncheckedIOException if its file cannot be written; nothing of it is left then
     */
    static SnapshotInProgress begin(SnapshotStore store, SnapshotHeader header, MatchingCore core) {
        UnfinishedSnapshot file = store.begin(header);
        try {
            return new SnapshotInProgress(file, core.beginSnapshot(file.core()));
        } catch (IOException e) {
            throw file.failure(e);
        }
    }

    /**
     * Writes a portion.
     *
     * @param orderCountMax about how many orders
     * @return the snapshot when it is whole
     * @throws java.io.UncheckedIOException if its file cannot be written; nothing of it is left then
     */
    Optional<StagedSnapshot> advance(int orderCountMax) {
        long startNs = System.nanoTime();
        try {
            return core.advance(orderCountMax) ? Optional.of(file.finish()) : Optional.empty();
        } catch (IOException e) {
            throw file.failure(e);
        } finally {
            longestNs = Math.max(longestNs, System.nanoTime() - startNs);
        }
    }

    /** Returns how long the longest portion has taken, in ns. */
    long longestNs() {
        return longestNs;
    }

    /** Gives the snapshot up. */
    void abandon() {
        core.abandon();
        file.abandon();
    }
}
