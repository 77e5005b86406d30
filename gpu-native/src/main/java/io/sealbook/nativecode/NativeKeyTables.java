package io.sealbook.nativecode;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import java.util.Comparator;
import java.util.List;
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
import java.util.stream.Stream;

/**
 * The keys that a verifier has met, and tables of those that sign often.
 *
 * <p>A key gets its table after the uses that pay for making it. A separate thread makes the table; until then the key
 * is used without one. Tables take a bounded amount of memory. When it is full, a new table replaces one whose key has
 * been used less, since it was last spared, than a key must be to earn a table. The old key has to earn it again. If
 * the keys looked at are all used more, they are spared, and the new key goes without a table and has to earn it again.
 *
 * <p>Keys without a table are bounded, too: a new one replaces an old one. It replaces no key that has a table or waits
 * for one, so that keys which appear once displace no table, whatever their number. Each replacement looks at
 * {@value KeyRing#LOOKS_MAX} keys and takes the one unused for longest, so no caller waits for a scan. Thread-safe.
 *
 * <p>A thread that reads tables has a reading of its own ({@link #newReading}) and begins it before it asks for keys.
 */
final class NativeKeyTables implements AutoCloseable {
    /** Keys that neither have a table nor wait for one. */
    static final int CANDIDATES_MAX = 4096;
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
    /** Keys without a table, and keys with one. A key whose table is being made is in neither. */
    private final KeyRing candidates = new KeyRing();

    private final KeyRing tabled = new KeyRing();
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
            known = remember(new KnownKey(key, schemes.apply(key.scheme())));
        }
        known.lastUse = now;
        int usesBeforeTable = known.scheme.usesBeforeTable();
        if (known.useCount < usesBeforeTable) {
            known.useCount++;
        }
        if (known.table == null && known.useCount >= usesBeforeTable) {
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

    /** Returns the key, or the one that another thread has remembered meanwhile. */
    private synchronized KnownKey remember(KnownKey fresh) {
        KnownKey known = keys.putIfAbsent(fresh.key, fresh);
        if (known != null) {
            return known;
        }
        fresh.lastUse = clock.get();
        addCandidate(fresh);
        return fresh;
    }

    private void addCandidate(KnownKey known) {
        if (candidates.size() >= CANDIDATES_MAX) {
            oldest(candidates.look().stream()).ifPresent(old -> {
                candidates.remove(old);
                keys.remove(old.key);
            });
        }
        candidates.add(known);
    }

    /** A key may have been forgotten, or have got its table, since its use was counted. */
    private synchronized void ask(KnownKey known) {
        if (!candidates.contains(known) || tablesMax == 0 || waitingCount == WAITING_MAX || isClosed) {
            return;
        }
        candidates.remove(known);
        waitingCount++;
        builder.execute(() -> build(known));
    }

    /** Without memory, or beside keys used more, the key goes on without a table and asks again after as many uses. */
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
     * Drops a table unless there is room for one more. Returns whether there is room then; if verifications under way
     * may read all the memory that a new table could take, nothing is dropped.
     */
    private synchronized boolean makeRoom() {
        if (!memory.hasRoom()) {
            return false;
        }
        if (tabled.size() < tablesMax) {
            return true;
        }
        List<KnownKey> looked = tabled.look();
        Optional<KnownKey> leaving =
                oldest(looked.stream().filter(known -> known.useCount < known.scheme.usesBeforeTable()));
        if (leaving.isEmpty()) {
            looked.forEach(spared -> spared.useCount = 0);
            return false;
        }
        dropTable(leaving.get());
        addCandidate(leaving.get());
        return true;
    }

    private static Optional<KnownKey> oldest(Stream<KnownKey> among) {
        return among.min(Comparator.comparingLong(known -> known.lastUse));
    }

    /** Gives a key its table, unless it came too late or there was no memory for it. */
    private synchronized void keep(KnownKey known, Optional<KnownKey.Table> table) {
        waitingCount--;
        known.useCount = 0;
        if (table.isPresent() && !isClosed) {
            known.table = table.get();
            tabled.add(known);
            return;
        }
        table.ifPresent(late -> memory.giveBack(late, clock.get()));
        if (!isClosed) {
            addCandidate(known);
        }
    }

    /** Takes the table of a key that has one; the key is in no ring then. */
    private void dropTable(KnownKey known) {
        KnownKey.Table table = known.table;
        tabled.remove(known);
        known.table = null;
        known.useCount = 0;
        memory.giveBack(table, clock.get());
    }

    synchronized int tableCount() {
        return tabled.size();
    }

    /** Returns the number of keys remembered, with and without tables. */
    int keyCount() {
        return keys.size();
    }

    int tablesMax() {
        return tablesMax;
    }

    /** Returns how often a key that had earned a table got none: no memory, or only tables of keys used more. */
    long failureCount() {
        return failureCount.get();
    }

    /** Drops all keys and tables. A table under construction is finished and not kept. */
    @Override
    public synchronized void close() {
        isClosed = true;
        builder.shutdownNow();
        keys.values().stream().filter(tabled::contains).forEach(this::dropTable);
        candidates.clear();
        keys.clear();
    }
}
