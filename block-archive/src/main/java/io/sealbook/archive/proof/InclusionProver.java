package io.sealbook.archive.proof;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.BlockSource;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.MerkleTree;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.OperatingFailureException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Makes inclusion proofs from an archive. Any thread. */
public final class InclusionProver {
    private final BlockSource source;

    public InclusionProver(BlockSource source) {
        this.source = source;
    }

    /** What is asked for cannot be proven from this archive; the message says what is missing. */
    public static final class NotProvableException extends OperatingFailureException {
        private static final long serialVersionUID = 1;

        NotProvableException(String fact) {
            super(fact);
        }
    }

    /**
     * Proves that a block holds a batch, as of the oldest certificate that covers the block.
     *
     * @param sequence of the block
     * @param batchIndex place of the batch in it, from 0
     * @param isBatchCarried true to carry the signed bytes, so that what is in the batch is proven too
     * @throws NotProvableException if the block, the batch, a later header or a certificate is not here, or lies too
     *     far behind
     */
    public InclusionProof prove(long sequence, int batchIndex, boolean isBatchCarried) {
        Block block = block(sequence);
        if (batchIndex < 0 || batchIndex >= block.batchCount()) {
            throw new NotProvableException(
                    "block " + sequence + " has " + block.batchCount() + " batches, none at " + batchIndex);
        }
        CheckpointCertificate certificate = source.certificateAtOrAfter(sequence)
                .orElseThrow(() -> new NotProvableException("no certificate covers block " + sequence + " yet"));
        return new InclusionProof(
                source.genesisDigest(),
                batchIndex,
                block.batchId(batchIndex),
                block.header(),
                MerkleTree.path(block.batchIds(), batchIndex),
                headers(sequence + 1, certificate.sequence()),
                certificate,
                isBatchCarried ? signedBatch(block, batchIndex) : new byte[0]);
    }

    /**
     * Returns the index of a batch in a block.
     *
     * @param block compares each of its batch ids
     * @param batchId to look for
     * @return empty if the block does not hold the batch
     */
    public static OptionalInt indexOf(Block block, Digest batchId) {
        for (int i = 0; i < block.batchCount(); i++) {
            if (block.batchId(i).equals(batchId)) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    private List<BlockHeader> headers(long from, long to) {
        if (to - from >= InclusionProof.HEADER_COUNT_MAX) {
            throw new NotProvableException("the next certificate is at block " + to + ", more than "
                    + InclusionProof.HEADER_COUNT_MAX + " blocks after block " + (from - 1));
        }
        List<BlockHeader> headers = new ArrayList<>();
        for (long sequence = from; sequence <= to; sequence++) {
            headers.add(block(sequence).header());
        }
        return headers;
    }

    Block block(long sequence) {
        Optional<byte[]> bytes = source.read(sequence);
        return Block.wrap(bytes.orElseThrow(() -> new NotProvableException("block " + sequence
                + " is not here, archive has " + source.firstSequence() + ".." + source.lastSequence())));
    }

    private static byte[] signedBatch(Block block, int index) {
        int offset = block.batchOffset(index);
        return Arrays.copyOfRange(block.array(), offset, offset + block.batchLength(index));
    }
}
