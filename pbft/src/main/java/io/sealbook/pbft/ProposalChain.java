package io.sealbook.pbft;

import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.vocabulary.Digest;

/**
 * The chain of proposals as this replica has it: delivered blocks, then what it accepted in the active view. A proposal
 * names the digest of its predecessor, so this class decides which proposals may follow (rules 2, 3 and 8).
 */
final class ProposalChain {
    private final Core core;
    /**
     * The blocks delivered last, or found in the archive, by sequence modulo the length. Twice the log window reaches
     * the low watermark even if a certificate has just moved it to the archive's end.
     */
    private final Digest[] digests;

    private final long[] sequences;

    ProposalChain(Core core) {
        this.core = core;
        digests = new Digest[2 * core.config.logWindow()];
        sequences = new long[digests.length];
    }

    /** Notes the proposal of a block that this replica delivered or has in its archive. */
    void add(long sequence, Digest proposalDigest) {
        int place = (int) (sequence % digests.length);
        sequences[place] = sequence;
        digests[place] = proposalDigest;
    }

    /**
     * Returns the digest of the proposal of a block that is in the archive, or null if the block is not known: it is
     * far below the last delivered one, or not delivered.
     */
    Digest delivered(long sequence) {
        if (sequence == core.lowWatermark()) {
            return core.stable().proposalDigest();
        }
        int place = (int) (sequence % digests.length);
        return sequences[place] == sequence ? digests[place] : null;
    }

    /** Returns the digest that a proposal for this sequence must name, or null if its predecessor is not known. */
    Digest before(long sequence) {
        long predecessor = sequence - 1;
        if (!isUndelivered(predecessor)) {
            return delivered(predecessor);
        }
        Slot slot = core.slots.get(predecessor);
        return slot != null && slot.hasAccepted(core.view()) ? slot.accepted.digest() : null;
    }

    /** Returns the time of the newest known block below the sequence, 0 if none is known. */
    long timeBefore(long sequence) {
        long timeNs = core.standing.deliveredBlockTimeNs();
        for (Slot slot :
                core.slots.subMap(core.lastDelivered(), false, sequence, false).values()) {
            if (slot.accepted != null) {
                timeNs = Math.max(timeNs, slot.accepted.proposal().blockTimeNs());
            }
        }
        return timeNs;
    }

    /**
     * Returns whether the predecessor is delivered, or accepted in the active view. One that a state transfer brings is
     * neither: until then it is not known here which batches the proposal adds.
     */
    boolean isPredecessorAccepted(long sequence) {
        long predecessor = sequence - 1;
        if (predecessor <= core.lastDelivered()) {
            return true;
        }
        Slot slot = core.slots.get(predecessor);
        return slot != null && slot.hasAccepted(core.view());
    }

    /**
     * Returns whether the accepted proposal continues the chain, and so do all before it back to the last delivered
     * block. It does not if another proposal was delivered here or before: the primary of the view then made two
     * NEW-VIEWs, or two proposals, and the replica must not vote.
     */
    boolean isContinuedBy(Slot slot) {
        if (!follows(slot)) {
            return false;
        }
        for (long before = slot.sequence - 1; isUndelivered(before); before--) {
            if (!follows(core.slots.get(before))) {
                return false;
            }
        }
        return true;
    }

    private boolean follows(Slot slot) {
        PrePrepare accepted = slot.accepted;
        return (slot.delivered == null || slot.delivered.equals(accepted.digest()))
                && accepted.proposal().previous().equals(before(slot.sequence));
    }

    private boolean isUndelivered(long sequence) {
        return sequence > Math.max(core.lastDelivered(), core.lowWatermark());
    }

    /** Returns whether this backup has voted for what the slot continues in this view, or it is delivered. */
    boolean isPredecessorVoted(Slot slot) {
        long predecessor = slot.sequence - 1;
        return !isUndelivered(predecessor) || core.slots.get(predecessor).prepares[core.self] != null;
    }

    /**
     * Returns whether the replica may hold a prepared certificate for the slot: it holds one of this view for the
     * predecessor, or the predecessor is delivered.
     */
    boolean isPredecessorPrepared(Slot slot) {
        long predecessor = slot.sequence - 1;
        return !isUndelivered(predecessor) || core.slots.get(predecessor).isPreparedIn(core.view());
    }
}
