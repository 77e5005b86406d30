package io.sealbook.engine.config;

/** What the engine's own files survive; everything in them can be produced again from the blocks. */
public enum Durability {
    /** A killed process: what was written stands in the page cache. */
    PROCESS,
    /** The loss of power: journal, reports and snapshots are forced to disk before a snapshot counts. */
    DISK;

    public boolean isForced() {
        return this == DISK;
    }
}
