package io.sealbook.consensus.agent;

import io.sealbook.consensus.handoff.BlockResults;
import io.sealbook.consensus.status.BlockPhaseTimers;
import io.sealbook.handoff.BlockResult;
import io.sealbook.node.checkpointing.Checkpointing;

/**
 * The way of an engine's result: those at a checkpoint go to agreement. Result reader's thread; waits for room.
 *
 * @param checkpointing decides which results become checkpoints
 * @param inbox takes inputs of agreement
 * @param phases learns when a block was executed
 */
public record ResultCheckpoints(Checkpointing checkpointing, AgentInbox inbox, BlockPhaseTimers phases)
        implements BlockResults {
    @Override
    public void onResult(BlockResult result) {
        phases.executed(result.sequence(), result.executedTimeNs());
        checkpointing
                .onResult(result.sequence(), result.digest(), result.executedTimeNs())
                .ifPresent(inbox::put);
    }
}
