package io.sealbook.consensus.agent;

import io.sealbook.consensus.handoff.BlockResults;
import io.sealbook.consensus.status.BlockPhaseTimers;
import io.sealbook.handoff.BlockResult;
import io.sealbook.node.checkpointing.Checkpointing;
import io.sealbook.pbft.Input;
import java.util.ArrayDeque;

/**
 * The way of the result of an engine inside the node: those at a checkpoint go to agreement, without waiting for room,
 * because the committer that brings them may share the agent's thread. What found no room is offered again.
 */
public final class OfferedCheckpoints extends DutyCycle implements BlockResults {
    /** After this the agent is asked again for room. */
    private static final long RETRY_NS = 100_000;

    private final Checkpointing checkpointing;
    private final AgentInbox inbox;
    private final BlockPhaseTimers phases;
    private final ArrayDeque<Input> unsent = new ArrayDeque<>();

    /**
     * @param checkpointing decides which results become checkpoints
     * @param inbox takes inputs of agreement
     * @param phases learns when a block was executed
     */
    public OfferedCheckpoints(Checkpointing checkpointing, AgentInbox inbox, BlockPhaseTimers phases) {
        this.checkpointing = checkpointing;
        this.inbox = inbox;
        this.phases = phases;
    }

    @Override
    public void onResult(BlockResult result) {
        phases.executed(result.sequence(), result.executedTimeNs());
        checkpointing
                .onResult(result.sequence(), result.digest(), result.executedTimeNs())
                .ifPresent(unsent::add);
        doWork();
    }

    @Override
    public int doWork() {
        int sent = 0;
        while (!unsent.isEmpty() && inbox.offer(unsent.peek())) {
            unsent.remove();
            sent++;
        }
        return sent;
    }

    @Override
    public boolean hasWork() {
        return false;
    }

    @Override
    public long idleNs() {
        return unsent.isEmpty() ? Long.MAX_VALUE : RETRY_NS;
    }
}
