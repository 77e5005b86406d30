package io.sealbook.engine.reports;

import io.sealbook.archive.result.ReportFields;
import io.sealbook.vocabulary.OperatingFailureException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

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
     *
     * @throws NotKeptException if some of them are no longer kept
     */
    public List<byte[]> ofBlock(long block) {
        List<byte[]> reports = new ArrayList<>();
        for (ReportStore store : stores.all()) {
            reports.addAll(ofBlock(store, block));
        }
        reports.sort(Comparator.comparingLong(report -> ReportFields.of(report).execId()));
        return reports;
    }

    /**
     * Returns the reports of one broker in a block, in report order.
     *
     * @param store of the broker
     * @param block whose reports are returned
     * @throws NotKeptException if some of them are no longer kept
     */
    public List<byte[]> ofBlock(ReportStore store, long block) {
        long first = store.first();
        if (first > 1 && store.last() >= first && fields(store, first).block() >= block) {
            throw new NotKeptException("reports of block " + block + " are no longer kept: those of broker "
                    + Integer.toUnsignedString(store.brokerId()) + " begin in block "
                    + fields(store, first).block());
        }
        List<byte[]> reports = new ArrayList<>();
        long at = firstAtOrAfter(store, report -> true, ReportFields::block, block);
        while (at <= store.last()) {
            for (byte[] report : stretch(store, at)) {
                if (ReportFields.of(report).block() != block) {
                    return reports;
                }
                reports.add(report);
                at++;
            }
        }
        return reports;
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

    private List<byte[]> stretch(ReportStore store, long from) {
        return stretch(store, from, STRETCH);
    }

    /** Returns at least one report. */
    private List<byte[]> stretch(ReportStore store, long from, int countMax) {
        if (bytes >= bytesMax) {
            throw new SearchLimitException(bytesMax);
        }
        ByteBuffer buffer = ByteBuffer.allocate(countMax * ReportStore.RECORD_LENGTH);
        int count = store.read(from, buffer);
        if (count == 0) {
            throw new NotKeptException("report " + from + " of broker " + Integer.toUnsignedString(store.brokerId())
                    + " is no longer kept");
        }
        bytes += (long) count * ReportStore.RECORD_LENGTH;
        List<byte[]> reports = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int at = i * ReportStore.RECORD_LENGTH;
            reports.add(Arrays.copyOfRange(buffer.array(), at, at + ReportStore.RECORD_LENGTH));
        }
        return reports;
    }
}
