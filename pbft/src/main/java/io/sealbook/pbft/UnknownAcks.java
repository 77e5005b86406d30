package io.sealbook.pbft;

import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Batches that others acknowledged and this replica does not hold: their payload was lost on the way and is fetched
 * from a holder. Every sender has a share of the room, so that a faulty one cannot push out the rest (pitfall 15).
 */
final class UnknownAcks {
    private static final int AGE_MAX_TICKS = 64;

    private static final class Entry {
        final int firstSender;
        final long tick;
        long holders;

        Entry(int firstSender, long tick) {
            this.firstSender = firstSender;
            this.tick = tick;
        }
    }

    private final int perSenderMax;
    private final int[] counts;
    private final Map<Digest, Entry> entries = new LinkedHashMap<>();

    UnknownAcks(int replicaCount, int perSenderMax) {
        this.perSenderMax = perSenderMax;
        counts = new int[replicaCount];
    }

    /** Returns false if the sender's share is used up. */
    boolean add(Digest batchId, int sender, long tick) {
        Entry entry = entries.get(batchId);
        if (entry == null) {
            if (counts[sender] >= perSenderMax) {
                return false;
            }
            entry = new Entry(sender, tick);
            entries.put(batchId, entry);
            counts[sender]++;
        }
        entry.holders |= 1L << sender;
        return true;
    }

    /** Forgets the batch and returns its acknowledgers: bit i is replica i. */
    long remove(Digest batchId) {
        Entry entry = entries.remove(batchId);
        if (entry == null) {
            return 0;
        }
        counts[entry.firstSender]--;
        return entry.holders;
    }

    /**
     * Forgets what has been unknown for long; returns up to {@code countMax} ids that {@code sender} acknowledged
     * before this tick.
     */
    List<Digest> overdue(int sender, long tick, int countMax) {
        List<Digest> overdue = new ArrayList<>();
        for (Iterator<Entry> i = entries.values().iterator(); i.hasNext(); ) {
            Entry entry = i.next();
            if (tick - entry.tick <= AGE_MAX_TICKS) {
                break;
            }
            counts[entry.firstSender]--;
            i.remove();
        }
        for (Map.Entry<Digest, Entry> entry : entries.entrySet()) {
            if (overdue.size() == countMax || entry.getValue().tick >= tick) {
                break;
            }
            if ((entry.getValue().holders & 1L << sender) != 0) {
                overdue.add(entry.getKey());
            }
        }
        return overdue;
    }

    int count() {
        return entries.size();
    }
}
