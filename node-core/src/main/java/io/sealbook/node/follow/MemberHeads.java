package io.sealbook.node.follow;

import io.sealbook.crypto.VerificationKey;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The verified heads of all members above the confirmed end of a chain. Of each member the oldest ones are kept and the
 * newest one: the oldest will be reached by the chain first, the newest is the last one of an idle member.
 *
 * <p>A head counts for a chain if it was verified by the key that its member has at this block of this chain: a
 * replaced key counts for no block after its epoch. A head that the member's key at present did not sign may be that of
 * a later epoch: the last one of each member waits until that epoch is known. One thread.
 */
final class MemberHeads {
    private static final int HEADS_PER_MEMBER_MAX = 16;

    private final List<TreeMap<Long, VerifiedHead>> heads = new ArrayList<>();
    private final MemberHead[] newest;
    private final MemberHead[] waiting;
    private final Chain chain;

    /** The chain that heads are compared with. */
    interface Chain {
        /** Returns the hash of a block that a head may name. */
        Digest hashOf(long sequence);

        /** Returns the key of a member in effect for a block; null if it is no member then. */
        VerificationKey keyOf(int nodeId, long sequence);

        /** Returns f + 1 of the members in effect for a block. */
        int oneCorrect(long sequence);
    }

    private record VerifiedHead(MemberHead head, VerificationKey key) {
        boolean counts(Chain chain) {
            return key.equals(chain.keyOf(head.nodeId(), head.sequence()));
        }

        boolean isOf(Chain chain) {
            return head.blockHash().equals(chain.hashOf(head.sequence()));
        }
    }

    /**
     * @param memberCount number of members at most, in any epoch
     * @param chain that heads are compared with
     */
    MemberHeads(int memberCount, Chain chain) {
        this.chain = chain;
        this.newest = new MemberHead[memberCount];
        this.waiting = new MemberHead[memberCount];
        for (int i = 0; i < memberCount; i++) {
            heads.add(new TreeMap<>());
        }
    }

    /** Returns whether a head, which may not be verified, names a member and is not known yet. */
    boolean isNews(MemberHead head) {
        return 0 <= head.nodeId()
                && head.nodeId() < newest.length
                && head.sequence() > 0
                && !head.equals(newest[head.nodeId()])
                && !head.equals(waiting[head.nodeId()])
                && !heads.get(head.nodeId()).containsKey(head.sequence());
    }

    /** Keeps a head that the member's key at present did not sign. */
    void defer(MemberHead head) {
        waiting[head.nodeId()] = head;
    }

    /** Takes out the heads that wait. */
    List<MemberHead> takeDeferred() {
        List<MemberHead> taken =
                Arrays.stream(waiting).filter(head -> head != null).toList();
        Arrays.fill(waiting, null);
        return taken;
    }

    /**
     * Keeps a verified head.
     *
     * @param head of a member
     * @param key that signed it
     */
    void add(MemberHead head, VerificationKey key) {
        MemberHead last = newest[head.nodeId()];
        if (last == null || last.sequence() < head.sequence()) {
            newest[head.nodeId()] = head;
        }
        TreeMap<Long, VerifiedHead> ofMember = heads.get(head.nodeId());
        ofMember.put(head.sequence(), new VerifiedHead(head, key));
        if (ofMember.size() > HEADS_PER_MEMBER_MAX) {
            ofMember.remove(ofMember.lowerKey(ofMember.lastKey()));
        }
    }

    /** Returns the newest head of each member that has sent one. */
    List<MemberHead> newest() {
        return Arrays.stream(newest).filter(head -> head != null).toList();
    }

    /** Returns the highest block that at least one correct member has delivered, as far as heads show; 0 if none do. */
    long height() {
        long[] heights = new long[newest.length];
        for (int i = 0; i < newest.length; i++) {
            heights[i] = newest[i] == null ? 0 : newest[i].sequence();
        }
        return oneCorrectAt(heights);
    }

    /** Forgets the heads up to a block. */
    void removeThrough(long sequence) {
        heads.forEach(ofMember -> ofMember.headMap(sequence, true).clear());
    }

    /**
     * Returns the highest block up to which f + 1 members have this chain.
     *
     * @param end highest block of the chain; heads above it are not looked at
     * @return 0 if there is none
     */
    long confirmed(long end) {
        long[] reached = new long[heads.size()];
        for (int member = 0; member < reached.length; member++) {
            for (VerifiedHead verified : heads.get(member).headMap(end, true).values()) {
                if (verified.isOf(chain) && verified.counts(chain)) {
                    reached[member] = verified.head().sequence();
                }
            }
        }
        return oneCorrectAt(reached);
    }

    /**
     * Returns a block of the chain in whose place f + 1 members have another one.
     *
     * @param end highest block of the chain
     */
    Optional<MemberHead> contradiction(long end) {
        MemberHead found = null;
        int members = 0;
        int needed = 1;
        for (TreeMap<Long, VerifiedHead> ofMember : heads) {
            Optional<VerifiedHead> other = ofMember.headMap(end, true).values().stream()
                    .filter(verified -> !verified.isOf(chain) && verified.counts(chain))
                    .findFirst();
            if (other.isPresent()) {
                found = other.get().head();
                members++;
                needed = Math.max(needed, chain.oneCorrect(found.sequence()));
            }
        }
        return members >= needed ? Optional.of(found) : Optional.empty();
    }

    /** Returns the highest block that f + 1 of these reach, by the largest f of the blocks that count. */
    private long oneCorrectAt(long[] sequences) {
        Arrays.sort(sequences);
        int needed = 1;
        for (int count = 1; count <= sequences.length; count++) {
            long sequence = sequences[sequences.length - count];
            if (sequence == 0) {
                return 0;
            }
            needed = Math.max(needed, chain.oneCorrect(sequence));
            if (count >= needed) {
                return sequence;
            }
        }
        return 0;
    }
}
