package io.sealbook.engine.matching;

import io.sealbook.engine.intake.CommittedBlock;
import io.sealbook.engine.intake.CommittedBlockReader;
import java.util.Optional;

/** The duty cycle of the matching thread: reads a committed block, has it executed, publishes depth. */
final class MatchingAgent {
    private final CommittedBlockReader reader;
    private final BlockExecution execution;
    private long depthDueInNs;

    /**
     * Positions the queue of blocks after the state that the execution starts from.
     *
     * @param reader not yet positioned; the caller closes it
     * @param execution only this cycle uses it
     */
    MatchingAgent(CommittedBlockReader reader, BlockExecution execution) {
        this.reader = reader;
        this.execution = execution;
        StartingPoint start = execution.start();
        reader.positionAfter(start.sequence(), start.blockHash(), start.queueIndex());
    }

    /** Executes the next block if there is one, or goes on with a snapshot; returns 0 if there was nothing to do. */
    int doWork() {
        Optional<CommittedBlock> next = reader.poll();
        next.ifPresent(execution::execute);
        depthDueInNs = execution.publishDepth();
        boolean isWriting = next.isEmpty() && execution.writeSnapshotPortion();
        return next.isPresent() || isWriting ? 1 : 0;
    }

    /** Returns the nanoseconds until there is depth to publish, as of the last cycle; no signal comes for that. */
    long depthDueInNs() {
        return depthDueInNs;
    }

    /** Returns whether a block was handed over that the archive does not have yet; nothing signals that it has. */
    boolean isBlockAwaited() {
        return reader.isBlockAwaited();
    }

    /** Returns why a block that was handed over could not be read in the last cycle; empty if that is not so. */
    Optional<String> obstacle() {
        return reader.obstacle();
    }
}
