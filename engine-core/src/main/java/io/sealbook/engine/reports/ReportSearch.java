package io.sealbook.engine.reports;

import io.sealbook.archive.result.ReportFields;
import io.sealbook.vocabulary.OperatingFailureException;
import io.sealbook.vocabulary.result.ReportRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One question to the stores of all brokers: the reports of a block, the report that accepted an order, the reports of
 * a trade. Blocks, order ids and trade ids ascend within a broker's reports, so that it halves its range at each step.
 * It ends with {@link SearchLimitException} when it has read as many bytes as it may. One thread.
 */
public final class ReportSearch {
    private static final int STRETCH = 256;
    private static final byte NEW = '0';
    private static final byte TRADE = 'F';

    /** The search has read as much as it may. */
    public static final class SearchLimitException extends OperatingFailureException {
        private static final long serialVersionUID = 1;

        SearchLimitException(long bytesMax) {
            super("the search has read " + bytesMax + " bytes of reports");
        }
    }

    /** Reports that the question needs are no longer kept, or were never here. */
    public static final class NotKeptException extends OperatingFailureException {
        private static final long serialVersionUID = 1;

        NotKeptException(String fact) {
            super(fact);
        }
    }

    private final ReportStores stores;
    private final long bytesMax;
    private long bytes;

    /**
     * Makes a search.
     *
     * @param stores stay the caller's
     * @param bytesMax number of bytes of unpacked reports that it may read
     */
    public ReportSearch(ReportStores stores, long bytesMax) {
        this.stores = stores;
        this.bytesMax = bytesMax;
    }

    /**
     * Returns the reports of a block in the order in which the engine made them, as SBE messages with their headers.
     * They are read as the stream goes on: one run of each broker is in memory.
     *
     * @throws NotKeptException if some of them are no longer kept; from the stream, too
     */
    public Stream<byte[]> ofBlock(long block) {
        PriorityQueue<BlockReportsReader> readers =
                new PriorityQueue<>(Comparator.comparingLong(BlockReportsReader::nextExecId));
        for (ReportStore store : stores.all()) {
            BlockReportsReader reader = reader(store, block);
            if (reader.hasNext()) {
                readers.add(reader);
            }
        }
        return stream(new Iterator<>() {
            @Override
            public boolean hasNext() {
                return !readers.isEmpty();
            }

            @Override
            public byte[] next() {
                BlockReportsReader first = readers.remove();
                byte[] report = first.next();
                if (first.hasNext()) {
                    readers.add(first);
                }
                return report;
            }
        });
    }

    /**
     * Returns the reports of one broker in a block, in report order; as {@link #ofBlock(long)}.
     *
     * @param store of the broker
     * @param block whose reports are returned
     */
    public Stream<byte[]> ofBlock(ReportStore store, long block) {
        return stream(reader(store, block));
    }

    private static Stream<byte[]> stream(Iterator<byte[]> reports) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(reports, Spliterator.ORDERED), false);
    }

    private BlockReportsReader reader(ReportStore store, long block) {
        long first = store.first();
        if (first > 1 && store.last() >= first && fields(store, first).block() >= block) {
            throw new NotKeptException("reports of block " + block + " are no longer kept: those of broker "
                    + Integer.toUnsignedString(store.brokerId()) + " begin in block "
                    + fields(store, first).block());
        }
        long at = firstAtOrAfter(store, report -> true, ReportFields::block, block);
        return new BlockReportsReader(
                block, at, next -> next <= store.last() ? Optional.of(unpackedRun(store, next)) : Optional.empty());
    }

    private byte[] unpackedRun(ReportStore store, long sequence) {
        byte[] run = run(store, sequence);
        bytes += (long) ReportRun.count(run, 0) * ReportStore.RECORD_LENGTH;
        return run;
    }

    /**
     * Returns the run that has a report, see {@link ReportRun}.
     *
     * @param brokerId whose report it is
     * @param sequence of the report, at most the last
     * @throws NotKeptException if it is no longer kept
     */
    public byte[] run(int brokerId, long sequence) {
        ReportStore store = stores.of(brokerId)
                .orElseThrow(() ->
                        new NotKeptException("there are no reports of broker " + Integer.toUnsignedString(brokerId)));
        byte[] run = run(store, sequence);
        bytes += run.length;
        return run;
    }

    private byte[] run(ReportStore store, long sequence) {
        requireRoom();
        return store.run(sequence).orElseThrow(() -> notKept(store, sequence));
    }

    /** Returns the report that accepted the order with this FIX OrderID(37). */
    public Optional<ReportFields> accepted(long orderId) {
        for (ReportStore store : stores.all()) {
            Optional<ReportFields> found =
                    exact(store, report -> report.execType() == NEW, ReportFields::orderId, orderId);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Returns the report of the incoming order of the trade with this FIX TrdMatchID(880): the earlier of the two. */
    public Optional<ReportFields> incomingFill(long tradeId) {
        List<ReportFields> fills = new ArrayList<>();
        for (ReportStore store : stores.all()) {
            long at = firstAtOrAfter(store, report -> report.execType() == TRADE, ReportFields::tradeId, tradeId);
            next(store, report -> report.execType() == TRADE, at)
                    .filter(found -> found.tradeId() == tradeId)
                    .ifPresent(fills::add);
        }
        return fills.stream().min(Comparator.comparingLong(ReportFields::execId));
    }

    /**
     * Returns one report.
     *
     * @param brokerId of the genesis file
     * @param sequence of the broker's report, from 1
     * @return empty if there is none yet, or if it is no longer kept
     */
    public Optional<ReportFields> report(int brokerId, long sequence) {
        return stores.of(brokerId)
                .filter(store -> store.first() <= sequence && sequence <= store.last())
                .map(store -> fields(store, sequence));
    }

    private Optional<ReportFields> exact(
            ReportStore store, Predicate<ReportFields> kind, ToLongFunction<ReportFields> key, long wanted) {
        long at = firstAtOrAfter(store, kind, key, wanted);
        return next(store, kind, at).filter(found -> key.applyAsLong(found) == wanted);
    }

    /**
     * Returns the sequence from which on the next report of a kind has at least this key.
     *
     * @param key ascends over the reports of the kind
     */
    private long firstAtOrAfter(
            ReportStore store, Predicate<ReportFields> kind, ToLongFunction<ReportFields> key, long wanted) {
        long low = store.first();
        long high = store.last() + 1;
        while (low < high) {
            long middle = low + (high - low) / 2;
            Optional<ReportFields> found = next(store, kind, middle);
            if (found.isPresent() && Long.compareUnsigned(key.applyAsLong(found.get()), wanted) < 0) {
                low = found.get().reportSequence() + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the first report of a kind at or after a sequence. */
    private Optional<ReportFields> next(ReportStore store, Predicate<ReportFields> kind, long from) {
        long at = from;
        int countMax = 1;
        while (at <= store.last()) {
            List<byte[]> stretch = stretch(store, at, countMax);
            countMax = STRETCH;
            for (byte[] report : stretch) {
                ReportFields fields = ReportFields.of(report);
                if (kind.test(fields)) {
                    return Optional.of(fields);
                }
            }
            at += stretch.size();
        }
        return Optional.empty();
    }

    private ReportFields fields(ReportStore store, long sequence) {
        return ReportFields.of(stretch(store, sequence, 1).get(0));
    }

    /** Returns at least one report. */
    private List<byte[]> stretch(ReportStore store, long from, int countMax) {
        requireRoom();
        ByteBuffer buffer = ByteBuffer.allocate(countMax * ReportStore.RECORD_LENGTH);
        int count = store.read(from, buffer);
        if (count == 0) {
            throw notKept(store, from);
        }
        bytes += (long) count * ReportStore.RECORD_LENGTH;
        List<byte[]> reports = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int at = i * ReportStore.RECORD_LENGTH;
            reports.add(Arrays.copyOfRange(buffer.array(), at, at + ReportStore.RECORD_LENGTH));
        }
        return reports;
    }

    private void requireRoom() {
        if (bytes >= bytesMax) {
            throw new SearchLimitException(bytesMax);
        }
    }

    private static NotKeptException notKept(ReportStore store, long sequence) {
        return new NotKeptException("report " + sequence + " of broker " + Integer.toUnsignedString(store.brokerId())
                + " is no longer kept");
    }
}
