package io.sealbook.consensus.gateway;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Followers whose next block only the archive has, in turns: one holder after the other, and of each holder one stream
 * after the other. So the many streams of one holder get as much together as the one of another. One thread.
 */
final class ArchiveTurns {
    private final LinkedHashMap<Object, ArrayDeque<Turn>> waiting = new LinkedHashMap<>();
    private int count;

    /**
     * A follower whose turn comes.
     *
     * @param holder makes the call; equal objects are one
     * @param follower reads for it
     */
    record Turn(Object holder, CommitFollower<?> follower) {}

    /** Adds a follower, which is not in here yet, as the last one of its holder. */
    void add(Turn turn) {
        waiting.computeIfAbsent(turn.holder(), of -> new ArrayDeque<>()).add(turn);
        count++;
    }

    /** Removes and returns the follower whose turn it is; its holder's next turn is after those of all others. */
    Optional<Turn> next() {
        Map.Entry<Object, ArrayDeque<Turn>> first = waiting.pollFirstEntry();
        if (first == null) {
            return Optional.empty();
        }
        Turn turn = first.getValue().remove();
        count--;
        if (!first.getValue().isEmpty()) {
            waiting.putLast(first.getKey(), first.getValue());
        }
        return Optional.of(turn);
    }

    /** Removes those whose readers have gone; returns how many. They wait for no turn, which may be far away. */
    int removeCancelled() {
        int removed = 0;
        for (Iterator<ArrayDeque<Turn>> holders = waiting.values().iterator(); holders.hasNext(); ) {
            ArrayDeque<Turn> turns = holders.next();
            int before = turns.size();
            turns.removeIf(turn -> turn.follower().isCancelled());
            removed += before - turns.size();
            if (turns.isEmpty()) {
                holders.remove();
            }
        }
        count -= removed;
        return removed;
    }

    int count() {
        return count;
    }
}
