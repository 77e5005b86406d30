package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The content that a primary proposes for one sequence number: the last batch of each session that it serves, whose
 * first one follows from the proposals before. It names the digest of its predecessor, so one digest fixes all blocks
 * up to its own. Re-proposed unchanged in later views, so that a digest once prepared stays the digest of the block.
 *
 * <p>Its digest is SHA-256 over the canonical bytes, little-endian:
 *
 * <pre>
 *   offset  length  meaning
 *   0       8       "SBPROPO3"
 *   8       8       view in which it was first proposed
 *   16      8       sequence
 *   24      8       block time, nanoseconds since the epoch
 *   32      32      digest of the proposal before; zeros for sequence 1
 *   64      4       number of sessions, 1 or more
 *   68      48 x n  session (8), number (8), id (32) of the last batch
 * </pre>
 */
public final class Proposal {
    private static final byte[] TAG = "SBPROPO3".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_LENGTH = 36 + Digest.LENGTH;
    private static final int END_LENGTH = 2 * Long.BYTES + Digest.LENGTH;

    private final long view;
    private final long sequence;
    private final long blockTimeNs;
    private final Digest previous;
    private final List<SessionEnd> ends;
    private final Digest digest;

    /**
     * Makes a proposal and computes its digest.
     *
     * @param view in which it is first proposed
     * @param sequence of the block, from 1
     * @param blockTimeNs nanoseconds since the epoch
     * @param previous digest of the proposal of {@code sequence - 1}; {@link Digest#ZERO} for sequence 1
     * @param ends last batch of each session that the block serves, ascending by session; with fair order the last
     *     batch of each run of one session, in the order of the block; copied
     */
    public Proposal(long view, long sequence, long blockTimeNs, Digest previous, List<SessionEnd> ends) {
        this.view = view;
        this.sequence = sequence;
        this.blockTimeNs = blockTimeNs;
        this.previous = previous;
        this.ends = List.copyOf(ends);
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

    public List<SessionEnd> ends() {
        return ends;
    }

    public Digest digest() {
        return digest;
    }

    /**
     * Returns whether the proposal names sessions, and no more than its block can serve: each once and ascending, or,
     * if the order is fair, in the order of the block and never one twice in a row.
     *
     * @param batchesMax batches of a block
     * @param isFair whether the chain has fair order
     */
    public boolean hasForm(int batchesMax, boolean isFair) {
        for (int i = 1; i < ends.size(); i++) {
            long before = ends.get(i - 1).sessionKey();
            long session = ends.get(i).sessionKey();
            if (isFair ? before == session : before >= session) {
                return false;
            }
        }
        return !ends.isEmpty() && ends.size() <= batchesMax;
    }

    /** Returns the bytes under the digest; the array is the caller's. */
    public byte[] canonicalBytes() {
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_LENGTH + ends.size() * END_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(TAG)
                .putLong(view)
                .putLong(sequence)
                .putLong(blockTimeNs);
        previous.write(buffer);
        buffer.putInt(ends.size());
        for (SessionEnd end : ends) {
            buffer.putLong(end.sessionKey()).putLong(end.number());
            end.id().write(buffer);
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
        return "Proposal[view=" + view + ", sequence=" + sequence + ", sessions=" + ends.size() + ", " + digest + "]";
    }
}
