package io.sealbook.node.payload;

import io.sealbook.pbft.Quorum;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which missing batches are asked for now, and of whom. Agreement asks for a batch in each STATUS period until it is
 * here; a batch that no peer has would be requested without end.
 *
 * <p>A batch is asked for of the holder that was asked least often, and of f+1 of them at one instant at most:
 * agreement names them one after another. If none delivers it, others are asked after {@link #GAP_MIN_NS}, then after
 * twice the time, up to {@link #GAP_MAX_NS}. A holder that did not deliver it is asked for it again after
 * {@link #INTERVAL_MIN_NS}, then after twice the time, up to {@link #INTERVAL_MAX_NS}. It is asked with the next gap if
 * there was no room here for its answer, or its connection was lost: it may have restarted with the batch.
 *
 * <p>A range is known by its last batch. Peers answer the last batch first, so a range whose answer arrives becomes
 * shorter: what is left of it keeps its gap. Bounded by count; forgetting early only costs a request. Any thread.
 */
public final class BatchFetches {
    /** Less than a STATUS period, in which agreement asks again: a holder that keeps silent costs one of them. */
    static final long GAP_MIN_NS = 150_000_000L;
    /** An answer that waits in the ring of a busy node is not stored yet: asking again would only add to the ring. */
    static final long GAP_MAX_NS = 1_000_000_000L;

    static final long INTERVAL_MIN_NS = 2_000_000_000L;
    static final long INTERVAL_MAX_NS = 32_000_000_000L;
    /** What a peer answers to one request. */
    static final int BATCHES_PER_REQUEST_MAX = 2_048;

    private static final int BATCHES_MAX = 1 << 16;
    private static final int NOBODY = -1;

    private final int memberCount;
    /** f+1: one of them is correct. */
    private final int atOnceMax;

    private final Map<Digest, Asked> asked = new LinkedHashMap<>();
    /** What was asked for last by where it begins. */
    private final Map<Beginning, Asked> begun = new LinkedHashMap<>();

    private record Beginning(long sessionKey, long after) {
        static Beginning of(BatchRange range) {
            return new Beginning(range.sessionKey(), range.after());
        }
    }

    /** How often each member was asked for a batch, and before when it is not asked again. */
    private static final class Asked {
        private final int[] times;
        private final long[] notBeforeNs;
        private long lastNs;
        /** Members asked at that instant; 0 before the first. */
        private int atOnce;
        /** Before it nobody is asked, but for others at the last instant. */
        private long nextNs;

        private long gapNs = GAP_MIN_NS;
        /** Of the last batch. */
        private final long number;

        private Asked(int memberCount, long number, long nowNs) {
            this.number = number;
            times = new int[memberCount];
            notBeforeNs = new long[memberCount];
            Arrays.fill(notBeforeNs, nowNs);
            lastNs = nowNs;
            nextNs = nowNs;
        }

        /** Takes the gap of a longer range that begins as this one does. */
        private void follow(Asked longer) {
            lastNs = longer.lastNs;
            atOnce = longer.atOnce;
            nextNs = longer.nextNs;
            gapNs = longer.gapNs;
        }

        private boolean isDue(int atOnceMax, long nowNs) {
            return nowNs == lastNs ? atOnce < atOnceMax : nowNs - nextNs >= 0;
        }

        /** Returns who was asked least often of those who may be asked now, the first of them; or {@link #NOBODY}. */
        private int leastAsked(List<Integer> holders, long nowNs) {
            int least = NOBODY;
            for (int holder : holders) {
                if (nowNs - notBeforeNs[holder] >= 0 && (least == NOBODY || times[holder] < times[least])) {
                    least = holder;
                }
            }
            return least;
        }

        private void note(int holder, long nowNs) {
            int doublings = Math.min(times[holder]++, Byte.SIZE);
            notBeforeNs[holder] = nowNs + Math.min(INTERVAL_MIN_NS << doublings, INTERVAL_MAX_NS);
            if (atOnce > 0 && nowNs == lastNs) {
                atOnce++;
                return;
            }
            lastNs = nowNs;
            atOnce = 1;
            nextNs = nowNs + gapNs;
            gapNs = Math.min(2 * gapNs, GAP_MAX_NS);
        }
    }

    /** @param memberCount of the cluster */
    public BatchFetches(int memberCount) {
        this.memberCount = memberCount;
        this.atOnceMax = Quorum.of(memberCount).oneCorrect();
    }

    /**
     * Chooses what to ask for, and notes it as asked.
     *
     * @param ranges that are missing; each is known by its last batch
     * @param holders members that can be asked, in the order in which agreement prefers them
     * @param nowNs of any clock that does not go back
     * @return the ranges to ask of each member
     */
    public synchronized Map<Integer, List<BatchRange>> choose(
            List<BatchRange> ranges, List<Integer> holders, long nowNs) {
        Map<Integer, List<BatchRange>> chosen = new TreeMap<>();
        for (BatchRange range : ranges) {
            Asked batch = asked.computeIfAbsent(range.last().id(), id -> begin(range, nowNs));
            if (!batch.isDue(atOnceMax, nowNs)) {
                continue;
            }
            int holder = batch.leastAsked(holders, nowNs);
            if (holder == NOBODY) {
                continue;
            }
            List<BatchRange> ofHolder = chosen.computeIfAbsent(holder, id -> new ArrayList<>());
            long count = ofHolder.stream().mapToLong(BatchRange::count).sum();
            if (ofHolder.isEmpty() || count + range.count() <= BATCHES_PER_REQUEST_MAX) {
                batch.note(holder, nowNs);
                ofHolder.add(range);
            }
        }
        forgetOldest(asked);
        forgetOldest(begun);
        return chosen;
    }

    private Asked begin(BatchRange range, long nowNs) {
        Asked batch = new Asked(memberCount, range.last().number(), nowNs);
        Asked before = begun.put(Beginning.of(range), batch);
        if (before != null && Long.compareUnsigned(batch.number, before.number) < 0) {
            batch.follow(before);
        }
        return batch;
    }

    private static <K> void forgetOldest(Map<K, Asked> from) {
        while (from.size() > BATCHES_MAX) {
            from.remove(from.keySet().iterator().next());
        }
    }

    /** Forgets what a member did not deliver: it is connected anew. */
    public synchronized void onConnected(int member) {
        for (Asked batch : asked.values()) {
            batch.times[member] = 0;
            batch.notBeforeNs[member] = batch.lastNs;
        }
    }

    /**
     * Notes that a member delivered a batch for which there was no room here.
     *
     * @param member that sent it
     * @param batchId its id; any, whether it was asked for or not
     */
    public synchronized void onDropped(int member, Digest batchId) {
        Asked batch = asked.get(batchId);
        if (batch != null && batch.times[member] > 0) {
            batch.notBeforeNs[member] = batch.nextNs;
        }
    }
}
