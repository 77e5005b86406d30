package io.sealbook.nativecode;

import io.sealbook.nativecode.KnownKey.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Memory of the tables of one verifier. A dropped table's is used again once every verification that may read it has
 * ended: a garbage collection, which would free it, may be hours away. Thread-safe.
 *
 * <p>A verification says when it began, and reads no address of a table before. A table is dropped by taking it from
 * its key, and the time of the drop is read after. Both are volatile: a verification that began later than the drop, or
 * says so only after {@link #take} has looked, does not find the table.
 */
final class TableMemory {
    /** Tables beyond the limit, for builders that would wait for verifications under way. */
    static final int SPARE_TABLES = 4;

    private final long tablesMax;
    private final List<Dropped> dropped = new ArrayList<>();
    /** A thread that has ended reads nothing, and its reading goes with it. */
    private final Set<Reading> readings = Collections.newSetFromMap(new WeakHashMap<>());

    private int allocatedCount;

    /** A table without a key, and when it lost it. */
    private record Dropped(Table table, long at) {}

    /** Whether one thread verifies, and since when. Only that thread changes it. */
    static final class Reading {
        private static final long NEVER = Long.MAX_VALUE;

        private volatile long since = NEVER;

        private Reading() {}

        /** Must come before the first read of a key's table; the time was taken before. */
        void begin(long now) {
            since = now;
        }

        /** Must come after the last read of a table. */
        void end() {
            since = NEVER;
        }
    }

    /** @param tablesMax limit of tables that have a key */
    TableMemory(int tablesMax) {
        this.tablesMax = tablesMax;
    }

    /** Returns a reading for one thread, which keeps it as long as it verifies. */
    synchronized Reading newReading() {
        Reading reading = new Reading();
        readings.add(reading);
        return reading;
    }

    /** Returns whether {@link #take} would find memory. */
    synchronized boolean hasRoom() {
        long oldest = oldestReading();
        return allocatedCount < tablesMax + SPARE_TABLES || dropped.stream().anyMatch(table -> table.at < oldest);
    }

    /**
     * Returns memory for a table, the caller's until it is given back.
     *
     * @param size of the table, bytes; the same for all
     * @return empty if verifications under way may still read all there is
     * @throws OutOfMemoryError if direct memory is exhausted
     */
    synchronized Optional<Table> take(int size) {
        long oldest = oldestReading();
        for (Iterator<Dropped> each = dropped.iterator(); each.hasNext(); ) {
            Dropped next = each.next();
            if (next.at < oldest) {
                each.remove();
                return Optional.of(next.table);
            }
        }
        if (allocatedCount >= tablesMax + SPARE_TABLES) {
            return Optional.empty();
        }
        ByteBuffer memory = NativeVerification.allocate(size);
        allocatedCount++;
        return Optional.of(new Table(memory, NativeVerification.address(memory)));
    }

    /**
     * Gives memory back.
     *
     * @param now time after the table was taken from its key
     */
    synchronized void giveBack(Table table, long now) {
        dropped.add(new Dropped(table, now));
    }

    private long oldestReading() {
        long oldest = Reading.NEVER;
        for (Reading reading : readings) {
            oldest = Math.min(oldest, reading.since);
        }
        return oldest;
    }
}
