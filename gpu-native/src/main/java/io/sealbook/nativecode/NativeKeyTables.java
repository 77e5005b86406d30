package io.sealbook.nativecode;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The keys that a verifier has met, and tables of those that sign often.
 *
 * <p>A key gets its table after as many uses as pay for making it. A separate thread makes the table; until then the
 * key is used without one. Tables take a bounded amount of memory: one more replaces the table unused for longest,
 * whose key has to earn it again. Keys are bounded, too. Thread-safe.
 *
 * <p>A thread that reads tables has a reading of its own ({@link #newReading}) and begins it before it asks for keys.
 */
final class NativeKeyTables implements AutoCloseable {
    private static final int KEYS_MAX = 4096;
    /** Tables waiting to be made; a key that finds no room asks again with its next use. */
    private static final int WAITING_MAX = 256;

    private static final int IDLE_S = 5;

    private final Function<SignatureScheme, NativeScheme> schemes;
    private final int tablesMax;
    private final TableMemory memory;
    private final Map<VerificationKey, KnownKey> keys = new ConcurrentHashMap<>();
    private final AtomicLong clock = new AtomicLong();
    private final ExecutorService builder;
    private final AtomicLong failureCount = new AtomicLong();
    private int tableCount;
    private int waitingCount;
    private boolean isClosed;

    /**
     * Starts without keys.
     *
     * @param schemes code for the keys of each scheme
     * @param memoryMaxBytes memory of all tables; less than one table takes means that no key gets one
     * @param builder runs the making of tables, one after another; shut down with this object
     */
    NativeKeyTables(Function<SignatureScheme, NativeScheme> schemes, long memoryMaxBytes, ExecutorService builder) {
        this.schemes = schemes;
        this.builder = builder;
        tablesMax = (int) Math.min(Integer.MAX_VALUE, memoryMaxBytes / NativeVerification.keyTableSize());
        memory = new TableMemory(tablesMax);
    }

    /** Returns a builder with a daemon thread that ends when there is nothing to build. */
    static ExecutorService newBuilder() {
        ThreadPoolExecutor builder = new ThreadPoolExecutor(
                1, 1, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), NativeKeyTables::thread);
        builder.allowCoreThreadTimeOut(true);
        return builder;
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

    /** Returns what a thread says with when it reads tables. */
    TableMemory.Reading newReading() {
        return memory.newReading();
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

    /**
     * Has a key's table made, whatever its uses, and waits for it. Returns whether the key has a table then: there may
     * be no memory for one.
     */
    boolean makeTable(VerificationKey key) {
        KnownKey known = use(key, tick());
        ask(known);
        try {
            // Tables are made one after another: what is asked for now follows them.
            builder.submit(() -> {}).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the maker of tables failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return known.table != null;
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
        if (known.isBuilding || known.table != null || tablesMax == 0 || waitingCount == WAITING_MAX || isClosed) {
            return;
        }
        known.isBuilding = true;
        waitingCount++;
        builder.execute(() -> build(known));
    }

    /** Where there is no memory, the key goes on without a table and asks again after as many uses. */
    private void build(KnownKey known) {
        Optional<KnownKey.Table> table = Optional.empty();
        try {
            int size = known.scheme.keyTableSize();
            if (makeRoom()) {
                table = memory.take(size);
            }
            table.ifPresent(made -> known.scheme.buildKeyTable(made.memory(), known.memory));
        } catch (OutOfMemoryError e) {
            // Direct memory is exhausted: counted below.
        }
        if (table.isEmpty()) {
            failureCount.incrementAndGet();
        }
        keep(known, table);
    }

    /**
     * Drops the tables unused for longest until there is room for one more. Returns whether there is; if verifications
     * under way may read all the memory that a new table could take, nothing is dropped.
     */
    private synchronized boolean makeRoom() {
        if (!memory.hasRoom()) {
            return false;
        }
        while (tableCount >= tablesMax) {
            dropTable(keys.values().stream()
                    .filter(known -> known.table != null)
                    .min(Comparator.comparingLong(known -> known.lastUse))
                    .orElseThrow(() -> new IllegalStateException(tableCount + " tables, but no key has one")));
        }
        return true;
    }

    /** Gives a key its table, unless it came too late or there was no memory for it. */
    private synchronized void keep(KnownKey known, Optional<KnownKey.Table> table) {
        waitingCount--;
        known.isBuilding = false;
        known.useCount = 0;
        if (table.isEmpty()) {
            return;
        }
        if (known.isForgotten || isClosed) {
            memory.giveBack(table.get(), clock.get());
            return;
        }
        known.table = table.get();
        tableCount++;
    }

    private synchronized void dropTable(KnownKey known) {
        KnownKey.Table table = known.table;
        if (table != null) {
            known.table = null;
            known.useCount = 0;
            tableCount--;
            memory.giveBack(table, clock.get());
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

    /** Drops all keys and tables. A table under construction is finished and not kept. */
    @Override
    public synchronized void close() {
        isClosed = true;
        builder.shutdownNow();
        keys.values().forEach(this::dropTable);
        keys.clear();
    }
}
