package io.sealbook.engine.matching;

import io.sealbook.engine.retention.RestartPoint;
import io.sealbook.engine.setup.EngineSettings;
import java.util.concurrent.TimeUnit;

/** Decides after which block a snapshot is written: a number of blocks or seconds after the last one. One thread. */
final class SnapshotSchedule {
    private final EngineSettings.Snapshots settings;
    private RestartPoint last;
    private long lastNs;
    /** The part of the interval that must pass. */
    private double part;

    /**
     * Begins with the snapshot that the engine started from.
     *
     * @param start what that snapshot relies on
     * @param nowNs {@link System#nanoTime}
     * @param advance the part of the first interval that is left out, 0 to 1
     */
    SnapshotSchedule(EngineSettings.Snapshots settings, RestartPoint start, long nowNs, double advance) {
        this.settings = settings;
        this.last = start;
        this.lastNs = nowNs;
        this.part = 1 - advance;
    }

    /**
     * Returns whether a snapshot is due after a block.
     *
     * @param sequence the block
     * @param nowNs {@link System#nanoTime}
     */
    boolean isDue(long sequence, long nowNs) {
        return sequence - last.block() >= part * settings.everyBlocks()
                || nowNs - lastNs >= part * TimeUnit.SECONDS.toNanos(settings.everySeconds());
    }

    /** Returns the last snapshot's block and what it relies on. */
    RestartPoint last() {
        return last;
    }

    /**
     * Notes a snapshot.
     *
     * @param point its block and what it relies on
     * @param nowNs {@link System#nanoTime}
     */
    void onTaken(RestartPoint point, long nowNs) {
        last = point;
        lastNs = nowNs;
        part = 1;
    }
}
