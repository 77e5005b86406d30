package io.sealbook.consensus.agent;

import io.sealbook.consensus.execution.InProcessEngine;

/**
 * What an engine inside the node does between blocks: after each round of commits, and again while something is left.
 */
public final class EngineCycle extends DutyCycle {
    private static final long INTERVAL_NS = 50_000_000;

    private final InProcessEngine engine;
    private boolean isMoreDue;

    /** @param engine of the committer's thread */
    public EngineCycle(InProcessEngine engine) {
        this.engine = engine;
    }

    @Override
    public int doWork() {
        isMoreDue = engine.betweenBlocks();
        return 0;
    }

    @Override
    public boolean hasWork() {
        return false;
    }

    @Override
    public long idleNs() {
        return isMoreDue ? INTERVAL_NS : Long.MAX_VALUE;
    }
}
