package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The content that a primary proposes for one sequence number. Re-proposed unchanged in later views, so that a digest
 * once prepared stays the digest of the block. It does not name the previous block: proposals may be in flight
 * together.
 *
 * <p>Its digest is SHA-256 over the canonical bytes, little-endian:
 *
 * <pre>
 *   offset  length  meaning
 *   0       8       "SBPROPO1"
 *   8       8       view in which it was first proposed
 *   16      8       sequence
 *   24      8       block time, nanoseconds since the epoch; 0 in a null proposal
 *   32      4       number of batches
 *   36      40 x n  batch id (32), arrival time (8)
 * </pre>
 */
public final class Proposal {
    private static final byte[] TAG = "SBPROPO1".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_LENGTH = 36;
    private static final int BATCH_LENGTH = Digest.LENGTH + Long.BYTES;

    private final long view;
    private final long sequence;
    private final long blockTimeNs;
    private final List<ProposedBatch> batches;
    private final Digest digest;

    /** Makes a proposal and computes its digest; the list is copied. */
    public Proposal(long view, long sequence, long blockTimeNs, List<ProposedBatch> batches) {
        this.view = view;
        this.sequence = sequence;
        this.blockTimeNs = blockTimeNs;
        this.batches = List.copyOf(batches);
        this.digest = Digest.sha256(canonicalBytes());
    }

    /**
     * Returns the proposal that fills a hole in a new view: no batches, executed as a no-op (TOCS 2002, section 4.4).
     *
     * @param view that begins
     * @param sequence for which no proposal was prepared
     */
    public static Proposal nullProposal(long view, long sequence) {
        return new Proposal(view, sequence, 0, List.of());
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

    public List<ProposedBatch> batches() {
        return batches;
    }

    public Digest digest() {
        return digest;
    }

    public boolean isNull() {
        return batches.isEmpty();
    }

    /** Returns the bytes under the digest; the array is the caller's. */
    public byte[] canonicalBytes() {
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_LENGTH + batches.size() * BATCH_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(TAG)
                .putLong(view)
                .putLong(sequence)
                .putLong(blockTimeNs)
                .putInt(batches.size());
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
