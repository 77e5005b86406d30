package io.sealbook.consensus.agent;

import io.sealbook.consensus.handoff.ResultReader;
import io.sealbook.node.status.NodeState;

/** Polls the engine's results: often while one is due, seldom otherwise. */
public final class ResultCycle extends DutyCycle {
    private static final long DUE_NS = 5_000_000;
    private static final long IDLE_NS = 50_000_000;

    private final ResultReader reader;
    private final NodeState state;

    /**
     * @param reader polled by this cycle
     * @param state shows whether a result is due
     */
    public ResultCycle(ResultReader reader, NodeState state) {
        this.reader = reader;
        this.state = state;
    }

    @Override
    public int doWork() {
        return reader.poll();
    }

    @Override
    public boolean hasWork() {
        return false;
    }

    @Override
    public long idleNs() {
        return state.lastResult().sequence() < state.lastBlock().sequence() ? DUE_NS : IDLE_NS;
    }
}
