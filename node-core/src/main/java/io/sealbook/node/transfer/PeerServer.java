package io.sealbook.node.transfer;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
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
    private static final int BLOCKS_PER_ANSWER_MAX = 256;
    private static final int BYTES_PER_ANSWER_MAX = 4 << 20;

    private final PayloadStore payloads;
    private final CommittedBlocks blocks;
    private final BlockArchive archive;

    public PeerServer(PayloadStore payloads, CommittedBlocks blocks, BlockArchive archive) {
        this.payloads = payloads;
        this.blocks = blocks;
        this.archive = archive;
    }

    /** A batch that was asked for. */
    public record FoundBatch(Digest id, byte[] signed) {}

    /** An answer with blocks; the certificate may be null. */
    public record BlockAnswer(long from, List<byte[]> blocks, byte[] certificate) {}

    /** Returns those of the batches that are here, each with its signature. */
    public List<FoundBatch> batches(List<Digest> ids) {
        List<FoundBatch> found = new ArrayList<>();
        Block block = null;
        for (Digest batchId : ids.subList(0, Math.min(ids.size(), BATCHES_PER_REQUEST_MAX))) {
            Payload payload = payloads.get(batchId);
            if (payload != null) {
                found.add(new FoundBatch(batchId, payload.signedBatch()));
                continue;
            }
            OptionalLong sequence = blocks.sequenceOf(batchId);
            if (sequence.isEmpty()) {
                continue;
            }
            if (block == null || block.header().sequence() != sequence.getAsLong()) {
                block = blocks.block(sequence.getAsLong()).orElse(null);
            }
            if (block != null) {
                CommittedBlocks.signedBatch(block, batchId)
                        .ifPresent(signed -> found.add(new FoundBatch(batchId, signed)));
            }
        }
        return found;
    }

    /**
     * Returns consecutive blocks, at least one and as many as fit an answer.
     *
     * @param from sequence of the first block, 1 or more
     * @param count number of blocks requested, 1 or more
     * @return empty if the archive does not hold the first block
     */
    public Optional<BlockAnswer> blocks(long from, int count) {
        List<byte[]> found = new ArrayList<>();
        long bytes = 0;
        long last = Math.min(from + Math.min(count, BLOCKS_PER_ANSWER_MAX) - 1, blocks.lastSequence());
        for (long sequence = from; sequence <= last && bytes < BYTES_PER_ANSWER_MAX; sequence++) {
            Optional<Block> block = blocks.block(sequence);
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
