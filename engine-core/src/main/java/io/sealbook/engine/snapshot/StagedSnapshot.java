package io.sealbook.engine.snapshot;

/** A snapshot that is written but does not count yet: the files it relies on may not be on disk. */
public final class StagedSnapshot {
    private final SnapshotStore store;
    private final SnapshotHeader header;

    StagedSnapshot(SnapshotStore store, SnapshotHeader header) {
        this.store = store;
        this.header = header;
    }

    public SnapshotHeader header() {
        return header;
    }

    /**
     * Makes the snapshot count and removes all but the newest {@link SnapshotStore#KEPT}. Call once, after everything
     * that a start from it reads has been written; any thread, but one at a time for all snapshots of a store.
     *
     * @throws java.io.UncheckedIOException if the file cannot be forced or renamed
     */
    public void publish() {
        store.publish(header.sequence());
    }
}
