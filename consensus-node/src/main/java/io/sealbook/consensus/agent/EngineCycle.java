package io.sealbook.consensus.agent;

import io.sealbook.consensus.execution.InProcessEngine;

/** What an engine inside the node does between blocks: after each round of commits, and at least so often. */
public final class EngineCycle extends DutyCycle {
    private static final long INTERVAL_NS = 50_000_000;

    private final InProcessEngine engine;

    /** @param engine of the committer's thread */
    public EngineCycle(InProcessEngine engine) {
        this.engine = engine;
    }

    @Override
    public int doWork() {
        engine.betweenBlocks();
        return 0;
    }

    @Override
    public boolean hasWork() {
        return false;
    }

    @Override
    public long idleNs() {
        return INTERVAL_NS;
    }
}
