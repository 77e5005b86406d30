package io.sealbook.node.payload;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which missing batches are asked for now, and of whom. Agreement asks for a batch in each STATUS period until it is
 * here; a batch that no peer has would be requested without end.
 *
 * <p>A batch is asked for once in {@link #ANSWER_NS} at most, of the holder that was asked least often. A holder that
 * did not deliver it is asked for it again after twice the time, up to {@link #INTERVAL_MAX_NS}, and at once after its
 * connection was lost: it may have restarted with the batch. Bounded by count; forgetting early only costs a request.
 * Any thread.
 */
public final class BatchFetches {
    /** An answer that waits in the ring of a busy node is not stored yet: asking again would only add to the ring. */
    static final long ANSWER_NS = 1_000_000_000L;

    static final long INTERVAL_MAX_NS = 32_000_000_000L;
    /** What a peer answers to one request. */
    static final int BATCHES_PER_REQUEST_MAX = 2_048;

    private static final int BATCHES_MAX = 1 << 16;
    private static final int NOBODY = -1;

    private final int memberCount;
    private final Map<Digest, Asked> asked = new LinkedHashMap<>();

    /** How often each member was asked for a batch, and before when it is not asked again. */
    private static final class Asked {
        private final int[] times;
        private final long[] notBeforeNs;
        private long lastNs;

        private Asked(int memberCount, long nowNs) {
            times = new int[memberCount];
            notBeforeNs = new long[memberCount];
            for (int i = 0; i < memberCount; i++) {
                notBeforeNs[i] = nowNs;
            }
            lastNs = nowNs - ANSWER_NS;
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
            times[holder]++;
            long intervalNs = Math.min(ANSWER_NS << Math.min(times[holder], Byte.SIZE), INTERVAL_MAX_NS);
            notBeforeNs[holder] = nowNs + intervalNs;
            lastNs = nowNs;
        }
    }

    /** @param memberCount of the cluster */
    public BatchFetches(int memberCount) {
        this.memberCount = memberCount;
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
            Asked batch = asked.computeIfAbsent(range.last().id(), id -> new Asked(memberCount, nowNs));
            if (nowNs - batch.lastNs < ANSWER_NS) {
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
        while (asked.size() > BATCHES_MAX) {
            asked.remove(asked.keySet().iterator().next());
        }
        return chosen;
    }

    /** Forgets what a member did not deliver: it is connected anew. */
    public synchronized void onConnected(int member) {
        for (Asked batch : asked.values()) {
            batch.times[member] = 0;
            batch.notBeforeNs[member] = batch.lastNs;
        }
    }
}
