package io.sealbook.node.checkpointing;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.util.Optional;

/** Takes the engine's results in order. One thread. */
public final class Checkpointing {
    private final BlockArchive archive;
    private final NodeState state;
    private final int interval;
    private final ChainMembership membership;

    /**
     * @param archive holds each block before its result comes
     * @param state publishes the last result
     * @param interval blocks between checkpoints, 1 or more
     * @param membership knows the last block with administrative batches, which may end the epoch
     */
    public Checkpointing(BlockArchive archive, NodeState state, int interval, ChainMembership membership) {
        this.archive = archive;
        this.state = state;
        this.interval = interval;
        this.membership = membership;
    }

    /**
     * Notes a result. The engine may answer before the block's readers have been told of it; the archive holds it by
     * then.
     *
     * @param sequence of the block, in the archive
     * @param resultDigest of the state after the block
     * @param executedTimeNs when the engine had executed it, nanoseconds since 1970; 0 if unknown
     * @return input for agreement; empty unless the block is a checkpoint of the interval, the last with administrative
     *     batches, or that of the stable checkpoint or of an isolation
     */
    public Optional<Input> onResult(long sequence, Digest resultDigest, long executedTimeNs) {
        if (executedTimeNs > 0) {
            putExecutionTime(sequence, executedTimeNs);
        }
        // Last: who sees it finds the archive complete.
        state.lastResult(new NodeState.LastResult(sequence, resultDigest));
        if (sequence % interval != 0
                && sequence != membership.present().block()
                && sequence != state.agreement().lowWatermark()
                && sequence != state.agreement().isolatedAt()) {
            return Optional.empty();
        }
        return hash(sequence)
                .map(hash -> new Input.Executed(
                        sequence, hash, resultDigest, ChainMembership.certificate(archive, sequence)));
    }

    /** A time is a local fact: where the disk has changed its place, the block is repaired without it. */
    private void putExecutionTime(long sequence, long executedTimeNs) {
        try {
            archive.putExecutionTime(sequence, executedTimeNs);
        } catch (BlockDamagedException e) {
            // Named when the block is read.
        }
    }

    /** Returns the hash of a block: of one that the disk has changed as the chain names it, if it does. */
    private Optional<Digest> hash(long sequence) {
        try {
            return Optional.of(Block.wrap(archive.read(sequence)
                            .orElseThrow(() -> new BrokenInvariantException("archive lost block " + sequence)))
                    .hash());
        } catch (BlockDamagedException e) {
            return archive.health().expectedHash(sequence);
        }
    }
}
