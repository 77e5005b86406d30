package io.sealbook.node.commit;

import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockLocation;
import io.sealbook.node.block.BlockBatches;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ProposedBatch;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;

/** Turns proposals into blocks and appends blocks: archive first, then queue, then readers. One thread. */
final class BlockAppender {
    /** How often old nonces are forgotten, in blocks. */
    private static final int FORGET_INTERVAL = 256;

    private final CommitContext context;
    private final int logWindow;
    private final BlockBuilder builder = new BlockBuilder();
    private final BatchView view = new BatchView();
    /** Of the block in hand. */
    private final List<Payload> delivered = new ArrayList<>();

    /**
     * @param context what the committer works on
     * @param logWindow how many blocks lie between the watermarks of agreement, 1 or more
     */
    BlockAppender(CommitContext context, int logWindow) {
        this.context = context;
        this.logWindow = logWindow;
    }

    /**
     * Builds the block of a delivered proposal and appends it. A batch that an earlier block holds already is taken
     * from there: a new view may oblige the cluster to deliver one batch in two blocks, and the engine refuses the
     * second.
     *
     * @param proposal the next one of the chain
     * @throws BrokenInvariantException if it is not the next block, or a payload is not here: agreement must not have
     *     delivered it
     */
    void deliver(Proposal proposal) {
        LastBlock last = context.state().lastBlock();
        if (proposal.sequence() != last.sequence() + 1) {
            throw new BrokenInvariantException(
                    "block " + proposal.sequence() + " delivered after block " + last.sequence());
        }
        long orderCount = 0;
        delivered.clear();
        builder.begin(
                proposal.sequence(),
                proposal.view(),
                Math.max(proposal.blockTimeNs(), last.blockTimeNs()),
                proposal.digest(),
                last.hash());
        for (ProposedBatch batch : proposal.batches()) {
            byte[] signed = signedBatch(proposal.sequence(), batch.batchId());
            builder.add(batch.batchId(), batch.arrivalTimeNs(), signed, 0, signed.length);
            orderCount += view.wrap(signed).orderCount();
        }
        Block block = builder.buildBlock();
        append(block);
        delivered.forEach(this::release);
        context.blocks().publish(block);
        context.events().committed(block.batchCount(), orderCount);
    }

    /** Agreement names a batch twice only between its watermarks. */
    private byte[] signedBatch(long sequence, Digest batchId) {
        Payload payload = context.payloads().get(batchId);
        if (payload != null) {
            delivered.add(payload);
            return payload.signedBatch();
        }
        return context.blocks()
                .signedBatch(batchId, sequence - logWindow)
                .orElseThrow(() -> new BrokenInvariantException(
                        "block " + sequence + " delivered without payload of batch " + batchId));
    }

    private void release(Payload payload) {
        context.nonces().committed(payload.brokerId(), payload.nonce(), payload.validUntilBlock(), payload.batchId());
        context.payloads().remove(payload.batchId());
        context.events().delivered(payload.receivedNanos());
    }

    /** Appends a block that peers sent and a certificate covers. */
    void adopt(Block block) {
        append(block);
        long orderCount = 0;
        List<BlockBatches.Entry> batches = BlockBatches.of(block);
        for (BlockBatches.Entry batch : batches) {
            context.nonces().committed(batch.brokerId(), batch.nonce(), batch.validUntilBlock(), batch.batchId());
            context.payloads().remove(batch.batchId());
            orderCount += batch.orderCount();
        }
        context.blocks().publish(block);
        context.events().committed(block.batchCount(), orderCount);
    }

    private void append(Block block) {
        long sequence = block.header().sequence();
        try {
            BlockLocation location = context.archive().append(block);
            if (context.durability().isDisk()) {
                context.archive().sync();
            }
            context.sink().append(location);
        } catch (ArchiveException e) {
            throw new StorageFailureException("block " + sequence, e);
        }
        context.state().lastBlock(new LastBlock(sequence, block.header().blockTimeNs(), block.hash()));
        if (sequence % FORGET_INTERVAL == 0) {
            context.nonces().forgetBefore(sequence);
        }
    }
}
