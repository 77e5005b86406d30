package io.sealbook.pbft;

import io.sealbook.pbft.message.SessionEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** How many batches of each session may be proposed, and whose turn it is. One thread. */
final class ReadySessions {
    /** Returns the end of a session that has a number of batches more than are delivered or proposed. */
    @FunctionalInterface
    interface Ends {
        /**
         * Returns an end.
         *
         * @param sessionKey of the session
         * @param count of its ready batches, 1 or more
         */
        SessionEnd after(long sessionKey, int count);
    }

    /** Those with none are not here. */
    private final TreeMap<Long, Integer> counts = new TreeMap<>();

    private final SessionTurns.LastServed lastServed = new SessionTurns.LastServed();
    private int total;

    /**
     * Sets how many batches of a session are ready.
     *
     * @param sessionKey of the session
     * @param count 0 or more
     */
    void set(long sessionKey, int count) {
        Integer before = count == 0 ? counts.remove(sessionKey) : counts.put(sessionKey, count);
        total += count - (before == null ? 0 : before);
    }

    /** Returns how many batches of all sessions are ready. */
    int total() {
        return total;
    }

    /** Returns how many sessions have batches that are ready. */
    int sessionCount() {
        return counts.size();
    }

    /**
     * Deals a block to brokers and their sessions in turn.
     *
     * @param countMax batches of a block, 1 or more
     * @param ends of the sessions
     * @return ascending by session; empty if nothing is ready
     */
    List<SessionEnd> take(int countMax, Ends ends) {
        long[] keys = counts.keySet().stream().mapToLong(Long::longValue).toArray();
        long[] waiting = counts.values().stream().mapToLong(Integer::longValue).toArray();
        int[] shares = new int[keys.length];
        SessionTurns.after(keys, waiting, lastServed).deal(countMax, (place, index) -> {
            shares[place]++;
            lastServed.set(keys[place]);
        });
        List<SessionEnd> taken = new ArrayList<>(keys.length);
        for (int i = 0; i < keys.length; i++) {
            if (shares[i] > 0) {
                taken.add(ends.after(keys[i], shares[i]));
            }
        }
        return List.copyOf(taken);
    }
}
