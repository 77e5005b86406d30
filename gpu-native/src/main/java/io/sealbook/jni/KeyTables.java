package io.sealbook.jni;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The keys that a verifier has met, and tables of those that sign often.
 *
 * <p>A key earns its table by as many uses as pay for making it; the table is made by a thread of its own, and until it is there the key goes
 * without. Tables take up a bounded amount of memory: one more puts out the table unused for longest, whose key has to earn it again.
 * Keys are bounded, too. Thread-safe.
 */
final class KeyTables implements AutoCloseable {
    /** System property for the memory of all tables of a verifier, in MiB; each takes 464 KiB. */
    static final String MEMORY_PROPERTY = "sealbook.native.tables-mib";

    static final int MEMORY_DEFAULT_MIB = 64;

    private static final int KEYS_MAX = 4096;
    /** Tables waiting to be made; a key that finds no room asks again with its next use. */
    private static final int WAITING_MAX = 256;

    private static final int IDLE_S = 5;

    private final Function<SignatureScheme, NativeScheme> schemes;
    private final int tablesMax;
    private final Map<VerificationKey, KnownKey> keys = new ConcurrentHashMap<>();
    private final AtomicLong clock = new AtomicLong();
    private final ThreadPoolExecutor builder;
    private final AtomicLong failureCount = new AtomicLong();
    private int tableCount;
    private int buildingCount;

    KeyTables(Function<SignatureScheme, NativeScheme> schemes, long memoryMaxBytes) {
        this.schemes = schemes;
        tablesMax = (int) Math.min(Integer.MAX_VALUE, memoryMaxBytes / NativeVerification.keyTableSize());
        builder = new ThreadPoolExecutor(
                1,
                1,
                IDLE_S,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_MAX),
                KeyTables::thread,
                new ThreadPoolExecutor.AbortPolicy());
        builder.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "sealbook-key-tables");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the time stamp of the next batch. */
    long tick() {
        return clock.incrementAndGet();
    }

    /** Returns the key, one more use counted. */
    KnownKey use(VerificationKey key, long now) {
        KnownKey known = keys.get(key);
        if (known == null) {
            known = remember(key);
        }
        known.lastUse = now;
        if (known.table == null && ++known.useCount >= known.scheme.usesBeforeTable()) {
            ask(known);
        }
        return known;
    }

    private synchronized KnownKey remember(VerificationKey key) {
        if (keys.size() >= KEYS_MAX && !keys.containsKey(key)) {
            keys.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().lastUse))
                    .ifPresent(oldest -> {
                        keys.remove(oldest.getKey());
                        oldest.getValue().isForgotten = true;
                        dropTable(oldest.getValue());
                    });
        }
        return keys.computeIfAbsent(key, fresh -> new KnownKey(fresh, schemes.apply(fresh.scheme())));
    }

    private synchronized void ask(KnownKey known) {
        if (known.isBuilding
                || known.table != null
                || tablesMax == 0
                || builder.getQueue().remainingCapacity() == 0
                || builder.isShutdown()) {
            return;
        }
        known.isBuilding = true;
        buildingCount++;
        builder.execute(() -> build(known));
    }

    /** Where direct memory is exhausted, the key goes on without a table and asks again after as many uses. */
    private void build(KnownKey known) {
        KnownKey.Table table = null;
        try {
            ByteBuffer memory = freeMemory(known.scheme.keyTableSize());
            known.scheme.buildKeyTable(memory, known.memory);
            table = new KnownKey.Table(memory, NativeVerification.address(memory));
        } catch (OutOfMemoryError e) {
            failureCount.incrementAndGet();
        }
        synchronized (this) {
            known.isBuilding = false;
            known.useCount = 0;
            if (table != null && !known.isForgotten) {
                known.table = table;
                tableCount++;
            }
            buildingCount--;
            notifyAll();
        }
    }

    /** Makes room for a table. The memory of one that was put out may still be read by a verification under way: it is never written again. */
    private ByteBuffer freeMemory(int size) {
        synchronized (this) {
            while (tableCount >= tablesMax) {
                Optional<KnownKey> oldest = keys.values().stream()
                        .filter(known -> known.table != null)
                        .min(Comparator.comparingLong(known -> known.lastUse));
                oldest.ifPresent(this::dropTable);
            }
        }
        return NativeVerification.allocate(size);
    }

    private synchronized void dropTable(KnownKey known) {
        if (known.table != null) {
            known.table = null;
            known.useCount = 0;
            tableCount--;
        }
    }

    synchronized int tableCount() {
        return tableCount;
    }

    int tablesMax() {
        return tablesMax;
    }

    /** Returns how often there was no memory for a table. */
    long failureCount() {
        return failureCount.get();
    }

    /** Waits until no table is being made or waits to be; for tests. */
    synchronized void awaitTables() throws InterruptedException {
        while (buildingCount > 0) {
            wait();
        }
    }

    @Override
    public synchronized void close() {
        buildingCount -= builder.shutdownNow().size();
        keys.clear();
    }
}
