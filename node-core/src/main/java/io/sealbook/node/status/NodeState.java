package io.sealbook.node.status;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockHeader;
import io.sealbook.vocabulary.Digest;

/**
 * The published state of a node. Each group of fields has one writing thread: agreement is the agent's, blocks are the
 * committer's, results are the result reader's. Any thread may read; groups are published whole, so that a reader never
 * mixes two blocks.
 */
public final class NodeState {
    /**
     * The state of agreement.
     *
     * @param isViewActive false between views
     * @param isolatedAt checkpoint at which this node's outcome differed from the quorum's, 0 if it is not isolated
     * @param lowWatermark the stable checkpoint
     * @param pendingBatches held and not delivered
     */
    public record Agreement(
            long view,
            int primary,
            boolean isViewActive,
            long isolatedAt,
            long lowWatermark,
            long highWatermark,
            int pendingBatches) {}

    /**
     * The last block in archive and queue.
     *
     * @param sequence 0 if there is none
     * @param blockTimeNs nanoseconds since 1970; 0 if there is no block
     * @param hash of its header; the genesis digest if there is no block
     * @param proposalDigest which the next proposal names; zeros if there is no block
     * @param administrationBlock which the next block's header names: the last block up to this one that holds
     *     administrative batches; 0 if none does
     */
    public record LastBlock(
            long sequence, long blockTimeNs, Digest hash, Digest proposalDigest, long administrationBlock) {
        /** Returns what precedes block 1. */
        public static LastBlock none(Digest genesisDigest) {
            return new LastBlock(0, 0, genesisDigest, Digest.ZERO, 0);
        }

        /** Returns the place of a block at the end of its chain. */
        public static LastBlock of(Block block) {
            BlockHeader header = block.header();
            return new LastBlock(
                    header.sequence(),
                    header.blockTimeNs(),
                    block.hash(),
                    header.proposalDigest(),
                    block.lastAdministrationBlock());
        }

        @Override
        public String toString() {
            return sequence + " " + hash;
        }
    }

    /** The last block whose result the engine has reported. */
    public record LastResult(long sequence, Digest digest) {
        @Override
        public String toString() {
            return sequence + " " + digest;
        }
    }

    private volatile Agreement agreement = new Agreement(0, 0, true, 0, 0, 0, 0);
    private volatile LastBlock lastBlock;
    private volatile LastResult lastResult = new LastResult(0, Digest.ZERO);
    private volatile boolean isCatchingUp;
    private volatile boolean isStopping;
    private volatile String trouble = "";

    public NodeState(Digest genesisDigest) {
        this.lastBlock = LastBlock.none(genesisDigest);
    }

    public NodePhase phase() {
        if (isStopping) {
            return NodePhase.STOPPING;
        }
        if (isolatedAt() > 0) {
            return NodePhase.ISOLATED;
        }
        if (isCatchingUp) {
            return NodePhase.CATCHING_UP;
        }
        return agreement.isViewActive() ? NodePhase.NORMAL : NodePhase.VIEW_CHANGE;
    }

    public Agreement agreement() {
        return agreement;
    }

    public void agreement(Agreement now) {
        agreement = now;
    }

    public LastBlock lastBlock() {
        return lastBlock;
    }

    public void lastBlock(LastBlock now) {
        lastBlock = now;
    }

    public LastResult lastResult() {
        return lastResult;
    }

    public void lastResult(LastResult now) {
        lastResult = now;
    }

    public void catchingUp(boolean now) {
        isCatchingUp = now;
    }

    /** Returns the checkpoint at which this node's outcome differed from the quorum's, 0 if it is not isolated. */
    public long isolatedAt() {
        return agreement.isolatedAt();
    }

    /** Notes that the node takes and votes no more; the reason is shown to operators. */
    public void stopping(String reason) {
        trouble = reason;
        isStopping = true;
    }

    /** Returns why the node does not work; empty when it does. */
    public String trouble() {
        return trouble;
    }

    @Override
    public String toString() {
        Agreement a = agreement;
        return phase() + " view " + a.view() + " primary " + a.primary() + (a.isViewActive() ? "" : " (inactive)")
                + " block " + lastBlock + " result " + lastResult + " watermarks " + a.lowWatermark() + ".."
                + a.highWatermark() + " pending " + a.pendingBatches()
                + (trouble.isEmpty() ? "" : " trouble " + trouble);
    }
}
