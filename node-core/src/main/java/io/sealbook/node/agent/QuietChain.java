package io.sealbook.node.agent;

import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import java.util.Optional;

/**
 * Sees that the last block is executed and that none follows it, so that agreement certifies it without waiting for the
 * next multiple of the checkpoint interval. One thread.
 */
final class QuietChain {
    /**
     * A chain without a block for this long is quiet. At the least pace at which it never is, one block per second,
     * checkpoints of the interval come as they always did; below it, signatures per block cost nothing.
     */
    static final long QUIET_NS = 1_000_000_000;

    private long sequence;
    private long sinceNs;

    /**
     * Returns the result of the last block, once per {@link #QUIET_NS} in which it stayed the last one.
     *
     * @param state has the last block and the last result
     * @param nowNs monotonic clock
     */
    Optional<Input> look(NodeState state, long nowNs) {
        NodeState.LastResult result = state.lastResult();
        NodeState.LastBlock block = state.lastBlock();
        if (result.sequence() != sequence || block.sequence() != sequence) {
            sequence = result.sequence();
            sinceNs = nowNs;
            return Optional.empty();
        }
        if (sequence == 0 || nowNs - sinceNs < QUIET_NS) {
            return Optional.empty();
        }
        sinceNs = nowNs;
        return Optional.of(new Input.Quiet(sequence, block.hash(), result.digest()));
    }
}
