package io.sealbook.engine.reports;

import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.result.ReportRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The stores of all brokers that the chain has had so far. The journal's thread writes; followers read and are notified
 * of what is new.
 */
public final class ReportStores implements AutoCloseable {
    private static final Pattern FOLDER = Pattern.compile("broker-([0-9]{1,10})");

    private final Path directory;
    private final int perSegment;
    private final Durability durability;
    private final OpenSegments openSegments = new OpenSegments();
    private final FiledBlock filed;
    /** Replaced as a whole when brokers come. */
    private volatile Map<Integer, ReportStore> stores = Map.of();

    /** The same, for the writer. */
    private final Int2ObjectHashMap<ReportStore> byBroker = new Int2ObjectHashMap<>();

    private volatile long lastBlock;
    private final List<IntConsumer> listeners = new CopyOnWriteArrayList<>();

    /**
     * Opens a store per broker: of those given, and of those that have one in the directory.
     *
     * @param directory holds one folder per broker
     * @param brokerIds of the genesis file, or more
     * @param perSegment reports after which another file is begun
     * @param durability whether a full file is forced to disk before the next one is begun
     */
    public ReportStores(Path directory, List<Integer> brokerIds, int perSegment, Durability durability) {
        this.directory = directory;
        this.perSegment = perSegment;
        this.durability = durability;
        filed = FiledBlock.open(directory);
        open(brokerIds);
        open(foundIn(directory));
    }

    private static List<Integer> foundIn(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> FOLDER.matcher(entry.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(matcher -> Integer.parseUnsignedInt(matcher.group(1)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot list " + directory, e);
        }
    }

    /** Opens the stores of further brokers; those that are open stay. Only the writer's thread, or before it begins. */
    public void open(List<Integer> brokerIds) {
        Map<Integer, ReportStore> all = new LinkedHashMap<>(stores);
        for (int brokerId : brokerIds) {
            if (!all.containsKey(brokerId)) {
                Path folder = directory.resolve("broker-" + Integer.toUnsignedString(brokerId));
                ReportStore store = ReportStore.open(folder, brokerId, perSegment, durability, openSegments);
                all.put(brokerId, store);
                byBroker.put(brokerId, store);
            }
        }
        stores = Collections.unmodifiableMap(all);
    }

    public Optional<ReportStore> of(int brokerId) {
        return Optional.ofNullable(stores.get(brokerId));
    }

    public Collection<ReportStore> all() {
        return stores.values();
    }

    /**
     * Adds a listener that is notified on the writer's thread when a broker's new reports can be read. It gets the
     * broker's id, and must not wait.
     */
    public void onFlushed(IntConsumer listener) {
        listeners.add(listener);
    }

    /**
     * Takes a broker's next run, as a frame has it.
     *
     * @param bytes contain the run; not kept
     * @param offset where it begins
     * @param length in bytes
     * @param leafHashOffset where the hash of the leaf of its cells begins in {@code bytes}
     * @throws BrokenInvariantException if it does not follow the broker's last one
     */
    public void append(byte[] bytes, int offset, int length, int leafHashOffset) {
        int brokerId = ReportRun.brokerId(bytes, offset);
        ReportStore store = byBroker.get(brokerId);
        if (store == null) {
            throw new BrokenInvariantException("reports: broker " + brokerId + " is none of the chain");
        }
        store.append(bytes, offset, length, leafHashOffset);
    }

    /** Ends a block: the runs appended since the last one have its reports. */
    public void endBlock() {
        stores.values().forEach(ReportStore::endBlock);
    }

    /** Returns the last block whose reports can all be read. */
    public long lastBlock() {
        return lastBlock;
    }

    /** Writes and announces the appended reports, up to the end of a block. */
    public void flush(long block) {
        stores.values().forEach(ReportStore::flush);
        filed.write(block);
        lastBlock = block;
        for (ReportStore store : stores.values()) {
            if (store.announceBlock()) {
                listeners.forEach(listener -> listener.accept(store.brokerId()));
            }
        }
    }

    public void sync() {
        stores.values().forEach(ReportStore::sync);
    }

    /**
     * Removes files after which another one begins at or before {@code block}. Only the writer's thread.
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
                .allMatch(entry -> entry.getValue()
                        <= of(entry.getKey()).map(ReportStore::last).orElse(0L));
    }

    /**
     * Cuts every store back to a snapshot; brokers it does not name have no report there.
     *
     * @param block of the snapshot
     * @param reportSequences by broker, the last report there
     */
    public void truncateTo(long block, SortedMap<Integer, Long> reportSequences) {
        lastBlock = block;
        filed.write(block);
        stores.forEach((brokerId, store) -> store.truncateAfter(reportSequences.getOrDefault(brokerId, 0L)));
    }

    @Override
    public void close() {
        stores.values().forEach(ReportStore::close);
        filed.close();
    }
}
