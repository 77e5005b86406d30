package io.sealbook.node.restart;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockLocation;
import io.sealbook.node.block.BatchHeaders;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.HeadersInPlace;
import io.sealbook.node.block.SessionEnds;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.session.Sessions;
import io.sealbook.pbft.Input;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;

/** The state that a node rebuilds from its archive and its payload log before it takes part. */
public final class StartUp {
    /**
     * The recent blocks whose batches could still be sent, or named by agreement, again.
     *
     * @param transferred the blocks as inputs of the replica, in order
     * @param batchCount batches in these blocks
     * @param orderCount orders in these batches
     */
    public record Window(List<Input.BlockTransferred> transferred, long batchCount, long orderCount) {}

    private StartUp() {}

    /**
     * Makes the archive durable in its class, then hands over the blocks that only the archive holds: the node may have
     * died between any two of these steps.
     *
     * @param archive the node's own
     * @param queue gets the blocks that it lacks
     * @return how many were handed over
     */
    public static long repairQueue(BlockArchive archive, BlockSink queue) {
        // The archive also holds blocks that a killed process wrote and did not sync.
        archive.sync();
        queue.last().ifPresent(last -> checkSameChain(archive, last));
        long missing = archive.lastSequence() - queue.lastSequence();
        for (long sequence = Math.max(queue.lastSequence() + 1, archive.firstSequence());
                sequence <= archive.lastSequence();
                sequence++) {
            queue.append(location(archive, sequence));
        }
        return Math.max(0, missing);
    }

    private static void checkSameChain(BlockArchive archive, BlockLocation last) {
        long sequence = last.sequence();
        if (sequence < archive.firstSequence() || sequence > archive.lastSequence()) {
            return;
        }
        // The header alone may be damaged; the whole block is not then, or it is known to be.
        if (!location(archive, sequence).hash().equals(last.hash())
                && !block(archive, sequence).hash().equals(last.hash())) {
            throw new BrokenInvariantException("queue/blocks and archive hold different blocks " + sequence
                    + "; the queue belongs to another archive");
        }
    }

    /**
     * Reads the blocks whose batches could still be sent, or named by agreement, again.
     *
     * @param archive the node's own
     * @param blockCount how many of the last blocks to read: older ones hold only batches whose validity has ended, and
     *     lie below the window of agreement
     * @param sessions gets the numbers of these batches
     * @param blocks gets the block of each batch
     */
    public static Window readWindow(BlockArchive archive, int blockCount, Sessions sessions, CommittedBlocks blocks) {
        long last = archive.lastSequence();
        long first = Math.max(archive.firstSequence(), last - blockCount + 1);
        List<Input.BlockTransferred> transferred = new ArrayList<>();
        long batchCount = 0;
        long orderCount = 0;
        for (long sequence = Math.max(1, first); sequence <= last; sequence++) {
            Block block = block(archive, sequence);
            blocks.index(block);
            BatchHeaders headers = new HeadersInPlace(block);
            for (int i = 0; i < headers.count(); i++) {
                Digest batchId = block.batchId(i);
                sessions.delivered(headers.sessionKey(i), headers.number(i), batchId);
            }
            orderCount += headers.orderCount();
            batchCount += headers.count();
            transferred.add(new Input.BlockTransferred(
                    sequence, block.header().proposalDigest(), SessionEnds.of(block, headers)));
        }
        return new Window(transferred, batchCount, orderCount);
    }

    /**
     * Takes back the batches that wait for their block since before the restart.
     *
     * @param payloadLog retires those that are in a block already, and the files that held nothing else
     * @param store gets the others
     * @param sessions holds the batches of recent blocks; gets the numbers of the others
     * @param events is notified of what was taken back
     * @return inputs of agreement before it starts
     */
    public static List<Input.BatchAvailable> restorePayloads(
            PayloadLog payloadLog, PayloadStore store, Sessions sessions, NodeEvents events) {
        List<Input.BatchAvailable> available = new ArrayList<>();
        for (Payload payload : payloadLog.payloads()) {
            Digest batchId = payload.batchId();
            if (sessions.isDelivered(payload.sessionKey(), payload.number(), batchId)) {
                payloadLog.retire(batchId);
                continue;
            }
            // Whatever the outcome: what was acknowledged before the restart is held after it.
            sessions.offerUnordered(payload.sessionKey(), payload.position(), batchId);
            store.restore(payload);
            available.add(payload.available());
        }
        payloadLog.releaseDead();
        events.payloadsRestored(available.size(), payloadLog.damage());
        return available;
    }

    /**
     * Returns a block.
     *
     * @param archive which has the block
     * @param sequence of the block
     * @throws BrokenInvariantException if the archive has no such block
     */
    public static Block block(BlockArchive archive, long sequence) {
        return Block.wrap(archive.read(sequence)
                .orElseThrow(() -> new BrokenInvariantException("archive lost block " + sequence)));
    }

    private static BlockLocation location(BlockArchive archive, long sequence) {
        return archive.location(sequence)
                .orElseThrow(() -> new BrokenInvariantException("archive lost block " + sequence));
    }
}
