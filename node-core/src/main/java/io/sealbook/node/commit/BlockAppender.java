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
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.node.session.SessionHeads;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ProposedBatch;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;

/** Turns proposals into blocks and appends blocks: archive first, then queue, then readers. One thread. */
final class BlockAppender {
    /** How often the heads of sessions are written, in blocks: a restart reads the blocks since. */
    private static final int HEADS_INTERVAL = 256;

    private final CommitContext context;
    private final BlockBuilder builder = new BlockBuilder();
    /** Of the block in hand. */
    private final List<Payload> delivered = new ArrayList<>();

    /** @param context what the committer works on */
    BlockAppender(CommitContext context) {
        this.context = context;
    }

    /**
     * Builds the block of a delivered proposal and appends it.
     *
     * @param proposal the next one of the chain
     * @param times of its life until now
     * @throws BrokenInvariantException if it is not the next block, or a payload is not here: agreement must not have
     *     delivered it
     */
    void deliver(Proposal proposal, BlockTimes times) {
        LastBlock last = context.state().lastBlock();
        if (proposal.sequence() != last.sequence() + 1) {
            throw new BrokenInvariantException(
                    "block " + proposal.sequence() + " delivered after block " + last.sequence());
        }
        if (!proposal.previous().equals(last.proposalDigest())) {
            throw new BrokenInvariantException("block " + proposal.sequence() + " delivered after proposal "
                    + proposal.previous() + ", block " + last.sequence() + " has " + last.proposalDigest());
        }
        DecodedHeaders headers = new DecodedHeaders(proposal.batches().size());
        delivered.clear();
        builder.begin(
                proposal.sequence(),
                proposal.view(),
                Math.max(proposal.blockTimeNs(), last.blockTimeNs()),
                proposal.digest(),
                last.hash());
        for (int i = 0; i < headers.count(); i++) {
            ProposedBatch batch = proposal.batches().get(i);
            Payload payload = context.payloads().get(batch.batchId());
            if (payload == null) {
                throw new BrokenInvariantException(
                        "block " + proposal.sequence() + " delivered without payload of batch " + batch.batchId());
            }
            delivered.add(payload);
            headers.set(i, payload);
            byte[] signed = payload.signedBatch();
            builder.add(batch.batchId(), batch.arrivalTimeNs(), signed, 0, signed.length);
        }
        DecodedBlock block = context.decoding().with(builder.buildBlock(), headers);
        append(block.block());
        delivered.forEach(this::release);
        publish(block, block.headers());
        context.events().blockDone(proposal.sequence(), withFirstArrival(times));
    }

    private BlockTimes withFirstArrival(BlockTimes times) {
        BlockTimes complete = times;
        for (Payload payload : delivered) {
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
        if (context.sessions().isIncomplete()) {
            return; // The next start reads the blocks again, repaired ones too.
        }
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

    /** Appends a block that peers sent and a certificate covers. */
    void adopt(DecodedBlock block) {
        append(block.block());
        BatchHeaders headers = block.headers();
        for (int i = 0; i < headers.count(); i++) {
            Digest batchId = block.batchId(i);
            context.sessions().delivered(headers.sessionKey(i), headers.number(i), batchId);
            context.payloads().remove(batchId);
        }
        publish(block, headers);
    }

    private void append(Block block) {
        long sequence = block.header().sequence();
        try {
            BlockLocation location = context.archive().append(block);
            if (context.durability().isDisk()) {
                context.archive().sync();
            }
            context.sink().append(location, block);
        } catch (ArchiveException e) {
            throw new StorageFailureException("block " + sequence, e);
        }
        context.state().lastBlock(LastBlock.of(block));
    }
}
