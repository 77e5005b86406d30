package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The content that a primary proposes for one sequence number. It names the digest of its predecessor, so one digest
 * fixes all blocks up to its own. Re-proposed unchanged in later views, so that a digest once prepared stays the digest
 * of the block.
 *
 * <p>Its digest is SHA-256 over the canonical bytes, little-endian:
 *
 * <pre>
 *   offset  length  meaning
 *   0       8       "SBPROPO2"
 *   8       8       view in which it was first proposed
 *   16      8       sequence
 *   24      8       block time, nanoseconds since the epoch
 *   32      32      digest of the proposal before; zeros for sequence 1
 *   64      4       number of batches, 1 or more
 *   68      40 x n  batch id (32), arrival time (8)
 * </pre>
 */
public final class Proposal {
    private static final byte[] TAG = "SBPROPO2".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_LENGTH = 36 + Digest.LENGTH;
    private static final int BATCH_LENGTH = Digest.LENGTH + Long.BYTES;

    private final long view;
    private final long sequence;
    private final long blockTimeNs;
    private final Digest previous;
    private final List<ProposedBatch> batches;
    private final Digest digest;

    /**
     * Makes a proposal and computes its digest.
     *
     * @param view in which it is first proposed
     * @param sequence of the block, from 1
     * @param blockTimeNs nanoseconds since the epoch
     * @param previous digest of the proposal of {@code sequence - 1}; {@link Digest#ZERO} for sequence 1
     * @param batches in the order of the block; copied
     */
    public Proposal(long view, long sequence, long blockTimeNs, Digest previous, List<ProposedBatch> batches) {
        this.view = view;
        this.sequence = sequence;
        this.blockTimeNs = blockTimeNs;
        this.previous = previous;
        this.batches = List.copyOf(batches);
        this.digest = Digest.sha256(canonicalBytes());
    }

    public long view() {
        return view;
    }

    public long sequence() {
        return sequence;
    }

    public long blockTimeNs() {
        return blockTimeNs;
    }

    /** Returns the digest of the proposal before, zeros for sequence 1. */
    public Digest previous() {
        return previous;
    }

    public List<ProposedBatch> batches() {
        return batches;
    }

    public Digest digest() {
        return digest;
    }

    /** Returns the bytes under the digest; the array is the caller's. */
    public byte[] canonicalBytes() {
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_LENGTH + batches.size() * BATCH_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(TAG)
                .putLong(view)
                .putLong(sequence)
                .putLong(blockTimeNs);
        previous.write(buffer);
        buffer.putInt(batches.size());
        for (ProposedBatch batch : batches) {
            batch.batchId().write(buffer);
            buffer.putLong(batch.arrivalTimeNs());
        }
        return buffer.array();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Proposal proposal && digest.equals(proposal.digest);
    }

    @Override
    public int hashCode() {
        return digest.hashCode();
    }

    @Override
    public String toString() {
        return "Proposal[view=" + view + ", sequence=" + sequence + ", batches=" + batches.size() + ", " + digest + "]";
    }
}
