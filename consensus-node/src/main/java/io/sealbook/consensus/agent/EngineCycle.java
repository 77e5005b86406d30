package io.sealbook.consensus.agent;

import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.consensus.execution.InProcessExecution;

/**
 * What an engine inside the node does: executes blocks that wait, one in a round, and what is due between blocks; again
 * while something is left.
 */
public final class EngineCycle extends DutyCycle {
    /**
     * Rounds that a block waits, that of its commit included. The next round may have been handed to the event loop
     * before the commit. The followers that the commit wakes come before the one after it: they give the receipts to
     * their streams. These hand the writes to their connections to the loop, which come before the third.
     */
    static final int ROUNDS_BEFORE = 3;

    private final InProcessEngine engine;
    private final InProcessExecution execution;
    private int rounds;
    private long dueInNs = Long.MAX_VALUE;

    /**
     * @param engine of the committer's thread
     * @param execution hands it blocks
     */
    public EngineCycle(InProcessEngine engine, InProcessExecution execution) {
        this.engine = engine;
        this.execution = execution;
    }

    @Override
    public int doWork() {
        if (!execution.hasWaiting()) {
            rounds = 0;
            dueInNs = engine.betweenBlocks();
            return 0;
        }
        if (rounds < ROUNDS_BEFORE) {
            rounds++;
            return 1;
        }
        rounds = 0;
        execution.executeNext();
        dueInNs = engine.betweenBlocks();
        return 1;
    }

    @Override
    public boolean hasWork() {
        return execution.hasWaiting();
    }

    @Override
    public long idleNs() {
        return dueInNs;
    }
}
