package io.sealbook.node.follow;

import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * The verified heads of all members above the confirmed end of a chain. Of each member the oldest ones are kept and the
 * newest one: the oldest will be reached by the chain first, the newest is the last one of an idle member. One thread.
 */
final class MemberHeads {
    private static final int HEADS_PER_MEMBER_MAX = 16;

    private final List<TreeMap<Long, MemberHead>> heads = new ArrayList<>();
    private final MemberHead[] newest;
    private final int oneCorrect;

    /**
     * @param memberCount number of members
     * @param oneCorrect f + 1
     */
    MemberHeads(int memberCount, int oneCorrect) {
        this.oneCorrect = oneCorrect;
        this.newest = new MemberHead[memberCount];
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
                && !heads.get(head.nodeId()).containsKey(head.sequence());
    }

    /** Keeps a verified head. */
    void add(MemberHead head) {
        MemberHead last = newest[head.nodeId()];
        if (last == null || last.sequence() < head.sequence()) {
            newest[head.nodeId()] = head;
        }
        TreeMap<Long, MemberHead> ofMember = heads.get(head.nodeId());
        ofMember.put(head.sequence(), head);
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
     * @param hashes hash of each block of the chain that a head may name
     * @return 0 if there is none
     */
    long confirmed(long end, LongFunction<Digest> hashes) {
        long[] reached = new long[heads.size()];
        for (int member = 0; member < reached.length; member++) {
            for (MemberHead head : heads.get(member).headMap(end, true).values()) {
                if (head.blockHash().equals(hashes.apply(head.sequence()))) {
                    reached[member] = head.sequence();
                }
            }
        }
        return oneCorrectAt(reached);
    }

    /**
     * Returns a block of the chain in whose place f + 1 members have another one.
     *
     * @param end highest block of the chain
     * @param hashes hash of each block of the chain that a head may name
     */
    Optional<MemberHead> contradiction(long end, LongFunction<Digest> hashes) {
        MemberHead found = null;
        int members = 0;
        for (TreeMap<Long, MemberHead> ofMember : heads) {
            Optional<MemberHead> other = ofMember.headMap(end, true).values().stream()
                    .filter(head -> !head.blockHash().equals(hashes.apply(head.sequence())))
                    .findFirst();
            if (other.isPresent()) {
                found = other.get();
                members++;
            }
        }
        return members >= oneCorrect ? Optional.of(found) : Optional.empty();
    }

    /** Returns the highest value that f + 1 of these reach. */
    private long oneCorrectAt(long[] values) {
        Arrays.sort(values);
        return values[values.length - oneCorrect];
    }
}
