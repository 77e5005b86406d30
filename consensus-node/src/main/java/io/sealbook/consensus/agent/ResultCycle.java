package io.sealbook.consensus.agent;

import io.sealbook.consensus.handoff.ResultReader;
import io.sealbook.handoff.QueueWatch;
import io.sealbook.node.status.NodeState;
import java.nio.file.Path;

/** Reads the engine's results when the engine has written one. */
public final class ResultCycle extends DutyCycle implements AutoCloseable {
    /** If the engine's writes wake nothing: while a result is due. */
    private static final long DUE_NS = 5_000_000;
    /** The same, while none is due. */
    private static final long IDLE_NS = 50_000_000;

    private final ResultReader reader;
    private final NodeState state;
    private final QueueWatch watch;

    /**
     * @param queue directory of queue/results
     * @param reader of that queue, used by this cycle only; the caller closes it
     * @param state shows whether a result is due
     */
    public ResultCycle(Path queue, ResultReader reader, NodeState state) {
        this.reader = reader;
        this.state = state;
        this.watch = QueueWatch.open(queue, QueueWatch.SLEEP_MAX_NS);
        watch.watchFor(this::wakeUp);
    }

    @Override
    public int doWork() {
        int count = reader.poll();
        if (count > 0) {
            watch.onFound();
            return count;
        }
        return watch.maySleep() ? 0 : 1;
    }

    @Override
    public boolean hasWork() {
        return watch.isSignalled();
    }

    @Override
    public long idleNs() {
        // The archive gets the block of a result that is held back without a signal.
        return reader.isHolding() ? DUE_NS : watch.sleepNs(isDue() ? DUE_NS : IDLE_NS);
    }

    private boolean isDue() {
        return state.lastResult().sequence() < state.lastBlock().sequence();
    }

    @Override
    public void close() {
        watch.close();
    }
}
