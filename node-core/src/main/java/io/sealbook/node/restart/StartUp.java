package io.sealbook.node.restart;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockLocation;
import io.sealbook.node.block.BlockBatches;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.payload.NonceWindow;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.pbft.Input;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a node rebuilds from its archive and its payload log before it takes part. */
public final class StartUp {
    /**
     * What the window of recent blocks holds.
     *
     * @param transferred the blocks as the replica is told of them
     */
    public record Window(List<Input.BlockTransferred> transferred, long batchCount, long orderCount) {}

    private StartUp() {}

    /**
     * Makes what the archive holds durable in its class, then hands over what only the archive holds: the node may have died between
     * any two of these steps.
     *
     * @param archive the node's own
     * @param queue where its blocks are handed on
     * @param events counted and logged
     */
    public static void repairQueue(BlockArchive archive, BlockSink queue, NodeEvents events) {
        // What a killed process had written and not synced is here too.
        archive.sync();
        queue.last().ifPresent(last -> checkSameChain(archive, last));
        long missing = archive.lastSequence() - queue.lastSequence();
        for (long sequence = Math.max(queue.lastSequence() + 1, archive.firstSequence());
                sequence <= archive.lastSequence();
                sequence++) {
            queue.append(location(archive, sequence));
        }
        if (missing > 0) {
            events.handedOver(missing);
        }
    }

    private static void checkSameChain(BlockArchive archive, BlockLocation last) {
        long sequence = last.sequence();
        if (sequence < archive.firstSequence() || sequence > archive.lastSequence()) {
            return;
        }
        if (!Arrays.equals(location(archive, sequence).hash(), last.hash())) {
            throw new BrokenInvariantException(
                    "queue/blocks and archive hold different blocks " + sequence + "; the queue is not this archive's");
        }
    }

    /**
     * Reads the blocks whose batches could still be sent, or named by agreement, again.
     *
     * @param archive the node's own
     * @param blockCount how many of the last blocks to read: older ones hold only batches whose validity has ended, and
     *     lie below the window of agreement
     * @param nonces learns which nonces are used
     * @param blocks learns where each batch stands
     */
    public static Window readWindow(BlockArchive archive, int blockCount, NonceWindow nonces, CommittedBlocks blocks) {
        long last = archive.lastSequence();
        long first = Math.max(archive.firstSequence(), last - blockCount + 1);
        List<Input.BlockTransferred> transferred = new ArrayList<>();
        long batchCount = 0;
        long orderCount = 0;
        for (long sequence = Math.max(1, first); sequence <= last; sequence++) {
            Block block = block(archive, sequence);
            blocks.index(block);
            List<Digest> ids = new ArrayList<>(block.batchCount());
            for (BlockBatches.Entry batch : BlockBatches.of(block)) {
                ids.add(batch.batchId());
                orderCount += batch.orderCount();
                if (batch.validUntilBlock() > last) {
                    nonces.committed(batch.brokerId(), batch.nonce(), batch.validUntilBlock(), batch.batchId());
                }
            }
            batchCount += ids.size();
            transferred.add(new Input.BlockTransferred(
                    sequence, Digest.of(block.header().proposalDigest()), ids));
        }
        return new Window(transferred, batchCount, orderCount);
    }

    /**
     * Takes back the batches that wait for their block since before the restart.
     *
     * @param payloadLog forgets those that are in a block already
     * @param store gets the others
     * @param nonces knows the batches of recent blocks; learns whose nonces are taken
     * @param events counted and logged
     * @return what agreement is to hear before it starts
     */
    public static List<Input.BatchAvailable> restorePayloads(
            PayloadLog payloadLog, PayloadStore store, NonceWindow nonces, NodeEvents events) {
        List<Input.BatchAvailable> available = new ArrayList<>();
        for (Payload payload : payloadLog.payloads()) {
            Digest batchId = payload.batchId();
            if (nonces.isCommitted(payload.brokerId(), payload.nonce(), batchId)) {
                payloadLog.retire(batchId);
                continue;
            }
            nonces.take(payload.brokerId(), payload.nonce(), payload.validUntilBlock(), batchId);
            store.restore(payload);
            available.add(new Input.BatchAvailable(
                    batchId, payload.brokerId(), payload.arrivalTimeNs(), payload.validUntilBlock()));
        }
        events.payloadsRestored(available.size(), payloadLog.damage());
        return available;
    }

    private static BlockLocation location(BlockArchive archive, long sequence) {
        return archive.location(sequence)
                .orElseThrow(() -> new BrokenInvariantException("archive lost block " + sequence));
    }

    public static Block block(BlockArchive archive, long sequence) {
        return Block.wrap(archive.read(sequence)
                .orElseThrow(() -> new BrokenInvariantException("archive lost block " + sequence)));
    }
}
