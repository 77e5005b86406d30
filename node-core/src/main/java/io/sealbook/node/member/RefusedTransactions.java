package io.sealbook.node.member;

import io.sealbook.membership.Membership;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many of each member's transactions the chain has refused, and from which block on it takes the next one. Each
 * block with a transaction is read again at each restart and belongs to each proof of the membership, and one member
 * could fill all blocks with transactions that change nothing: approvals of an executed one are enough to get past the
 * doors.
 *
 * <p>A member may have {@link #PER_DOUBLING} refused, and as many again whenever the chain has become twice as long;
 * who takes its place, or comes with another key, begins anew. It follows from the chain alone: what one node takes,
 * each other one takes when it has the same blocks. Written by the start and the committer, read by any thread.
 */
final class RefusedTransactions {
    /**
     * Far beyond what a member does by mistake; four of 13 members reach 10,500 with 2^40 blocks, and a proof holds
     * more.
     */
    static final int PER_DOUBLING = 64;

    private final Map<Integer, Integer> counts = new ConcurrentHashMap<>();

    /** Notes that a transaction of a member changed nothing. */
    void note(int member) {
        counts.merge(member, 1, Integer::sum);
    }

    /**
     * Forgets those of nodes that another member or another key stands for now: a quorum has decided so.
     *
     * @param before membership
     * @param after membership that follows it
     */
    void onExecuted(Membership before, Membership after) {
        counts.keySet()
                .removeIf(node -> !before.hasNode(node)
                        || !after.hasNode(node)
                        || after.identityKeyId(node) != before.identityKeyId(node));
    }

    /** Returns how many of a member's transactions changed nothing. */
    int count(int member) {
        return counts.getOrDefault(member, 0);
    }

    /**
     * Returns the last block that must be there before the next transaction of a member is taken.
     *
     * @param member its node id
     * @return 0 if it is taken at once
     */
    long blockBeforeNext(int member) {
        int doublings = count(member) / PER_DOUBLING;
        return doublings == 0 ? 0 : 1L << Math.min(doublings - 1, Long.SIZE - 2);
    }
}
