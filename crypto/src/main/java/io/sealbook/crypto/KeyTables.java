package io.sealbook.crypto;

import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tables of the keys that sign often. A table costs as much as some dozens of verifications, so a key earns it with its
 * {@value #USES_BEFORE_TABLE}th use; until then, and while another thread computes it, the caller does without.
 *
 * <p>At most {@value #KEYS_MAX} keys are remembered (148 KiB a table, 74 MiB in all); one more puts out the key unused
 * for longest. Thread-safe.
 */
final class KeyTables {
    static final int KEYS_MAX = 512;
    static final int USES_BEFORE_TABLE = 16;
    /** 37 windows of 64 points. */
    private static final int WINDOW_BITS = 7;
    /** Points whose sum is a multiple of the key. */
    static final int TERM_COUNT = new OddWindows(WINDOW_BITS).count();

    private final Map<VerificationKey, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong clock = new AtomicLong();

    private static final class Entry {
        final AtomicInteger useCount = new AtomicInteger();
        volatile long lastUse;
        volatile PublicTable table;
    }

    /** Counts a use of the key; returns its table, or null while it has none. */
    PublicTable use(VerificationKey key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            entry = remember(key);
        }
        entry.lastUse = clock.incrementAndGet();
        PublicTable table = entry.table;
        if (table == null && entry.useCount.incrementAndGet() == USES_BEFORE_TABLE) {
            table = new PublicTable(key.curvePoint(), WINDOW_BITS);
            entry.table = table;
        }
        return table;
    }

    int size() {
        return entries.size();
    }

    private synchronized Entry remember(VerificationKey key) {
        if (entries.size() >= KEYS_MAX && !entries.containsKey(key)) {
            entries.entrySet().stream()
                    .min(Comparator.comparingLong(e -> e.getValue().lastUse))
                    .ifPresent(oldest -> entries.remove(oldest.getKey()));
        }
        return entries.computeIfAbsent(key, k -> new Entry());
    }
}
