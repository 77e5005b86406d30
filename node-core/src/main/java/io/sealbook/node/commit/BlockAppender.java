package io.sealbook.node.commit;

import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockLocation;
import io.sealbook.archive.storage.StorageException;
import io.sealbook.node.block.BatchHeaders;
import io.sealbook.node.block.DecodedBlock;
import io.sealbook.node.block.DecodedHeaders;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.port.BlockTimes;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.node.session.SessionHeads;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.util.List;

/** Turns proposals into blocks and appends blocks: archive first, then queue, then readers. One thread. */
final class BlockAppender {
    /**
     * How often the heads of sessions are written, in blocks: a restart reads the blocks since, and is refused if one
     * of them cannot be read.
     */
    private static final int HEADS_INTERVAL = 16;

    private final CommitContext context;
    private final BlockBuilder builder = new BlockBuilder();

    /** @param context what the committer works on */
    BlockAppender(CommitContext context) {
        this.context = context;
    }

    /**
     * Builds the block of a delivered proposal and appends it.
     *
     * @param task the next block of the chain
     * @return whether it has administrative batches
     * @throws BrokenInvariantException if it is not the next block
     */
    boolean deliver(CommitTask.Deliver task) {
        Proposal proposal = task.proposal();
        LastBlock last = context.state().lastBlock();
        if (proposal.sequence() != last.sequence() + 1) {
            throw new BrokenInvariantException(
                    "block " + proposal.sequence() + " delivered after block " + last.sequence());
        }
        if (!proposal.previous().equals(last.proposalDigest())) {
            throw new BrokenInvariantException("block " + proposal.sequence() + " delivered after proposal "
                    + proposal.previous() + ", block " + last.sequence() + " has " + last.proposalDigest());
        }
        List<Payload> batches = task.batches();
        DecodedHeaders headers = new DecodedHeaders(batches.size());
        long blockTimeNs = Math.max(proposal.blockTimeNs(), last.blockTimeNs());
        builder.begin(
                proposal.sequence(),
                proposal.view(),
                blockTimeNs,
                proposal.digest(),
                last.hash(),
                last.administrationBlock());
        for (int i = 0; i < batches.size(); i++) {
            Payload payload = batches.get(i);
            headers.set(i, payload);
            byte[] signed = payload.signedBatch();
            builder.add(payload.batchId(), blockTimeNs, signed, 0, signed.length);
        }
        DecodedBlock block = context.decoding().with(builder.buildBlock(), headers);
        BatchHeaders appended = block.headers();
        boolean hasAdministration = append(block, appended);
        batches.forEach(this::release);
        publish(block, appended);
        context.events().blockDone(proposal.sequence(), withFirstArrival(task));
        return hasAdministration;
    }

    private static BlockTimes withFirstArrival(CommitTask.Deliver task) {
        BlockTimes complete = task.times();
        for (Payload payload : task.batches()) {
            complete = complete.withArrival(payload.receivedNanos());
        }
        return complete;
    }

    private void publish(DecodedBlock block, BatchHeaders headers) {
        if (block.header().sequence() % HEADS_INTERVAL == 0) {
            writeHeads(block);
        }
        context.blocks().publish(block);
        context.events().committed(headers.count(), headers.orderCount());
    }

    private void release(Payload payload) {
        context.sessions().delivered(payload.sessionKey(), payload.number(), payload.batchId());
        context.payloads().remove(payload.batchId());
        context.events().delivered(payload.receivedNanos());
    }

    /** The block is in the archive, and its batches are noted as delivered. */
    private void writeHeads(DecodedBlock block) {
        List<SessionHeads.Delivered> sessions = context.sessions().heads().stream()
                .filter(head -> head.delivered() > 0)
                .map(head -> new SessionHeads.Delivered(head.sessionKey(), head.delivered(), head.deliveredId()))
                .toList();
        try {
            context.heads().write(new SessionHeads.AtBlock(block.header().sequence(), block.hash(), sessions));
        } catch (StorageException e) {
            throw new StorageFailureException(
                    "heads of sessions at block " + block.header().sequence(), e);
        }
    }

    /** Appends a block that peers sent and a certificate covers; returns whether it has administrative batches. */
    boolean adopt(DecodedBlock block) {
        BatchHeaders headers = block.headers();
        boolean hasAdministration = append(block, headers);
        for (int i = 0; i < headers.count(); i++) {
            Digest batchId = block.batchId(i);
            context.sessions().delivered(headers.sessionKey(i), headers.number(i), batchId);
            context.payloads().remove(batchId);
        }
        publish(block, headers);
        return hasAdministration;
    }

    /**
     * Archive first: all that follows is found there after a restart. The membership is that of the next block before
     * the engine or any reader hears of this one: its result may end an epoch.
     */
    private boolean append(DecodedBlock decoded, BatchHeaders headers) {
        boolean hasAdministration;
        Block block = decoded.block();
        long sequence = block.header().sequence();
        try {
            BlockLocation location = context.archive().append(block);
            if (context.durability().isDisk()) {
                context.archive().sync();
            }
            hasAdministration = context.membership().apply(block, headers);
            context.sink().append(location, block);
        } catch (ArchiveException e) {
            throw new StorageFailureException("block " + sequence, e);
        }
        context.state().lastBlock(LastBlock.of(block));
        return hasAdministration;
    }
}
