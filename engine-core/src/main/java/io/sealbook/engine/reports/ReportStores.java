package io.sealbook.engine.reports;

import io.sealbook.vocabulary.BrokenInvariantException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The stores of all brokers of the genesis file. The journal's thread writes; followers read and are notified of what
 * is new.
 */
public final class ReportStores implements AutoCloseable {
    private final Map<Integer, ReportStore> stores = new LinkedHashMap<>();
    private final Int2ObjectHashMap<RunPacker> packers = new Int2ObjectHashMap<>();
    private volatile long lastBlock;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /**
     * Opens a store per broker.
     *
     * @param directory holds one folder per broker
     * @param brokerIds of the genesis file
     * @param perSegment reports in one file; must be the same at every start
     */
    public ReportStores(Path directory, List<Integer> brokerIds, int perSegment) {
        for (int brokerId : brokerIds) {
            Path folder = directory.resolve("broker-" + Integer.toUnsignedString(brokerId));
            ReportStore store = ReportStore.open(folder, brokerId, perSegment);
            stores.put(brokerId, store);
            packers.put(brokerId, new RunPacker(store));
        }
    }

    public Optional<ReportStore> of(int brokerId) {
        return Optional.ofNullable(stores.get(brokerId));
    }

    public Collection<ReportStore> all() {
        return stores.values();
    }

    /** Adds a listener that is notified on the writer's thread when new reports can be read; it must not wait. */
    public void onFlushed(Runnable listener) {
        listeners.add(listener);
    }

    /**
     * Takes a broker's next report.
     *
     * @param brokerId of the genesis file
     * @param sequence its last report's plus 1
     * @param bytes contain the SBE message; not kept
     * @param offset where the message begins
     */
    public void append(int brokerId, long sequence, byte[] bytes, int offset) {
        RunPacker packer = packers.get(brokerId);
        if (packer == null) {
            throw new BrokenInvariantException("reports: broker " + brokerId + " is not in the genesis file");
        }
        packer.append(sequence, bytes, offset);
    }

    /** Ends a block: the reports appended since the last one are its reports. */
    public void endBlock() {
        packers.values().forEach(RunPacker::endBlock);
    }

    /** Returns the last block whose reports can all be read. */
    public long lastBlock() {
        return lastBlock;
    }

    /** Writes and announces the appended reports, up to the end of a block. */
    public void flush(long block) {
        boolean isAny = false;
        for (ReportStore store : stores.values()) {
            isAny |= store.flush();
            store.announceBlock();
        }
        lastBlock = block;
        if (isAny) {
            listeners.forEach(Runnable::run);
        }
    }

    public void sync() {
        stores.values().forEach(ReportStore::sync);
    }

    /**
     * Removes files whose reports all belong to blocks at or before {@code block}. Only the writer's thread.
     *
     * @param block reports of later blocks stay
     * @param needed by broker, the last report that a snapshot counts on
     * @return how many were removed
     */
    public int pruneBefore(long block, SortedMap<Integer, Long> needed) {
        return stores.values().stream()
                .mapToInt(store -> store.pruneBefore(block, needed.getOrDefault(store.brokerId(), 0L)))
                .sum();
    }

    /** Returns whether every broker's store reaches the reports that a snapshot requires. */
    public boolean reach(SortedMap<Integer, Long> reportSequences) {
        return reportSequences.entrySet().stream()
                .allMatch(entry -> stores.containsKey(entry.getKey())
                        && stores.get(entry.getKey()).last() >= entry.getValue());
    }

    /**
     * Cuts every store back to a snapshot; brokers it does not name have no report there.
     *
     * @param block of the snapshot
     * @param reportSequences by broker, the last report there
     */
    public void truncateTo(long block, SortedMap<Integer, Long> reportSequences) {
        lastBlock = block;
        stores.forEach((brokerId, store) -> store.truncateAfter(reportSequences.getOrDefault(brokerId, 0L)));
    }

    @Override
    public void close() {
        stores.values().forEach(ReportStore::close);
    }
}
