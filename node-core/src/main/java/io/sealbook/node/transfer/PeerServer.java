package io.sealbook.node.transfer;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.peer.message.PayloadCodec;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Answers peers that lack batches or blocks: batches from the payload store or a recent block, blocks from the archive.
 * Runs on the service thread, because it may read files. What is not here is not answered; the peer asks another.
 */
public final class PeerServer {
    private static final int BATCHES_PER_REQUEST_MAX = 2_048;
    private static final int BYTES_PER_ANSWER_MAX = 4 << 20;
    /** Blocks that are read for a request for batches, the last one not counted. */
    private static final long BYTES_READ_MAX = 16 << 20;

    private final PayloadStore payloads;
    private final CommittedBlocks blocks;
    private final BlockArchive archive;
    private final long bytesReadMax;
    /** Block of the batch that was found last: the next one is often there. */
    private Block lastRead;
    /** For the present request. */
    private long bytesRead;

    public PeerServer(PayloadStore payloads, CommittedBlocks blocks, BlockArchive archive) {
        this(payloads, blocks, archive, BYTES_READ_MAX);
    }

    /** Tests let a request read less. */
    PeerServer(PayloadStore payloads, CommittedBlocks blocks, BlockArchive archive, long bytesReadMax) {
        this.bytesReadMax = bytesReadMax;
        this.payloads = payloads;
        this.blocks = blocks;
        this.archive = archive;
    }

    /** A batch that was asked for. */
    public record FoundBatch(Digest id, byte[] signed) {}

    /** An answer with blocks; the certificate may be null. */
    public record BlockAnswer(long from, List<byte[]> blocks, byte[] certificate) {}

    /**
     * Returns the batches of the ranges as far as they are here, of each range the last first: each names the one
     * before it, so that the peer can name its next request. The answer ends where it would cost too much; the peer
     * asks again for what is left.
     */
    public List<FoundBatch> batches(List<BatchRange> ranges) {
        List<FoundBatch> found = new ArrayList<>();
        bytesRead = 0;
        for (BatchRange range : ranges) {
            Digest id = range.last().id();
            for (long number = range.last().number();
                    number > range.after() && found.size() < BATCHES_PER_REQUEST_MAX;
                    number--) {
                byte[] signed = signedBatch(id);
                if (signed == null) {
                    break;
                }
                found.add(new FoundBatch(id, signed));
                id = new BatchView().wrap(signed).position().previous();
            }
        }
        return found;
    }

    private byte[] signedBatch(Digest batchId) {
        Payload payload = payloads.get(batchId);
        if (payload != null) {
            return payload.signedBatch();
        }
        OptionalLong sequence = blocks.sequenceOf(batchId);
        if (sequence.isEmpty()) {
            return null;
        }
        if (lastRead == null || lastRead.header().sequence() != sequence.getAsLong()) {
            if (bytesRead >= bytesReadMax) {
                return null;
            }
            lastRead = blocks.wholeBlock(sequence.getAsLong()).orElse(null);
            bytesRead += lastRead == null ? 0 : lastRead.length();
        }
        return lastRead == null
                ? null
                : CommittedBlocks.signedBatch(lastRead, batchId).orElse(null);
    }

    /**
     * Returns consecutive blocks, at least one and as many as fit an answer.
     *
     * @param from sequence of the first block, 1 or more
     * @param count number of blocks requested, 1 or more
     * @return empty if the archive does not hold the first block, or it is damaged
     */
    public Optional<BlockAnswer> blocks(long from, int count) {
        List<byte[]> found = new ArrayList<>();
        long bytes = 0;
        long last = Math.min(from + Math.min(count, PayloadCodec.BLOCKS_MAX) - 1, blocks.lastSequence());
        for (long sequence = from; sequence <= last && bytes < BYTES_PER_ANSWER_MAX; sequence++) {
            Optional<Block> block = blocks.wholeBlock(sequence);
            if (block.isEmpty()) {
                break;
            }
            found.add(block.get().bytes());
            bytes += block.get().length();
        }
        if (found.isEmpty()) {
            return Optional.empty();
        }
        byte[] certificate = archive.certificateAtOrAfter(from + found.size() - 1)
                .map(CheckpointCertificate::encode)
                .orElse(null);
        return Optional.of(new BlockAnswer(from, found, certificate));
    }
}
