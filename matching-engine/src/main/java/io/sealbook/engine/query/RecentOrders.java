package io.sealbook.engine.query;

import io.sealbook.engine.persistence.OrderRecord;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The last report of an order, found from the end of its broker's report store on request: the path of an order pays
 * nothing for it. Any thread.
 */
public final class RecentOrders {
    private static final int CHUNK = 256;
    private static final Comparator<ReportedOrder> NEWEST_FIRST =
            Comparator.comparingLong(ReportedOrder::updatedBlock).reversed();

    private final ReportStores stores;
    private final int reportsMax;

    /**
     * Makes the look-up; it reads files only when asked.
     *
     * @param stores stay the caller's
     * @param reportsMax number of a broker's last reports that are searched
     */
    public RecentOrders(ReportStores stores, int reportsMax) {
        this.stores = stores;
        this.reportsMax = reportsMax;
    }

    /**
     * Returns the state of an order that one of its broker's last reports names, or that an earlier source has; without
     * either a refused entry of these reports. The order that a refused entry hides may be older than all of them.
     *
     * @param brokerId unsigned 32-bit id
     * @param clOrdId 64-bit id, as unsigned bits
     * @param earlier is asked for the order if no report names it
     */
    Optional<ReportedOrder> find(long brokerId, long clOrdId, Supplier<Optional<ReportedOrder>> earlier) {
        return stores.of((int) brokerId)
                .map(store -> find(store, clOrdId, earlier))
                .orElseGet(earlier);
    }

    private Optional<ReportedOrder> find(ReportStore store, long clOrdId, Supplier<Optional<ReportedOrder>> earlier) {
        AtomicReference<ReportedOrder> order = new AtomicReference<>();
        AtomicReference<ReportedOrder> refusal = new AtomicReference<>();
        backwards(store, report -> {
            if (names(report, clOrdId)) {
                (isRefusal(report) ? refusal : order).compareAndSet(null, ReportedOrder.of(report));
            }
            return order.get() != null;
        });
        return Optional.ofNullable(order.get())
                .flatMap(found -> last(store, found.orderId()))
                .or(earlier)
                .or(() -> Optional.ofNullable(refusal.get()));
    }

    /** Returns the state of an order that has a report: later ones may have another ClOrdID. */
    private Optional<ReportedOrder> last(ReportStore store, long orderId) {
        AtomicReference<ReportedOrder> found = new AtomicReference<>();
        backwards(store, report -> {
            boolean isLast = report.orderId() == orderId && !isRefusal(report);
            if (isLast) {
                found.set(ReportedOrder.of(report));
            }
            return isLast;
        });
        return Optional.ofNullable(found.get());
    }

    /** Returns the orders that were reported on most recently, newest first. */
    List<ReportedOrder> newest(int limit) {
        List<ReportedOrder> newest = new ArrayList<>();
        for (ReportStore store : stores.all()) {
            LastWords words = new LastWords();
            backwards(store, report -> {
                words.add(report);
                return words.areSettled(limit);
            });
            newest.addAll(words.first(limit));
        }
        // Stable: of one broker and block, the last report comes first.
        newest.sort(NEWEST_FIRST);
        return newest.subList(0, Math.min(limit, newest.size()));
    }

    /** A cancel or replace that worked is the last word on the order it names; a cancel's own ClOrdID is no order's. */
    private static boolean names(ExecutionReportDecoder report, long clOrdId) {
        return OrderRecord.clOrdIdOfOrder(report) == clOrdId
                || clOrdId != 0 && report.origClOrdId() == clOrdId && !isRefusal(report);
    }

    /** Returns whether a report is of an entry that is no order: a refused one, or a request about many orders. */
    private static boolean isRefusal(ExecutionReportDecoder report) {
        return switch (report.execType()) {
            case REJECTED, CANCEL_REJECT, MASS_CANCEL_REPORT -> true;
            default -> false;
        };
    }

    /**
     * Reads from the store's end until the visitor has enough, the limit is reached, or the reports before were
     * deleted.
     */
    private void backwards(ReportStore store, Predicate<ExecutionReportDecoder> hasEnough) {
        ByteBuffer bytes = ByteBuffer.allocate(CHUNK * ReportStore.RECORD_LENGTH);
        UnsafeBuffer records = new UnsafeBuffer(bytes);
        ExecutionReportDecoder report = new ExecutionReportDecoder();
        MessageHeaderDecoder header = new MessageHeaderDecoder();
        long last = store.last();
        long first = Math.max(store.first(), last - reportsMax + 1);
        for (long end = last; end >= first; end -= CHUNK) {
            long from = Math.max(first, end - CHUNK + 1);
            if (!read(store, from, (int) (end - from + 1), bytes)) {
                return;
            }
            for (int i = (int) (end - from); i >= 0; i--) {
                if (hasEnough.test(report.wrapAndApplyHeader(records, i * ReportStore.RECORD_LENGTH, header))) {
                    return;
                }
            }
        }
    }

    /** Fills the buffer; returns whether all the reports are still there. */
    private static boolean read(ReportStore store, long from, int count, ByteBuffer bytes) {
        bytes.clear().limit(count * ReportStore.RECORD_LENGTH);
        for (long next = from; bytes.hasRemaining(); ) {
            int read = store.read(next, bytes);
            if (read == 0) {
                return false;
            }
            next += read;
        }
        return true;
    }

    /**
     * Of reports that come newest first: the newest of each order, and of each refused entry of whose ClOrdID no order
     * is found.
     */
    private static final class LastWords {
        /** Of an order its OrderID, of a refused entry its ClOrdID. */
        private record Subject(boolean isRefusal, long id) {}

        private final Map<Subject, ReportedOrder> words = new LinkedHashMap<>();
        private final Set<Long> clOrdIdsOfOrders = new HashSet<>();
        private int refusals;

        void add(ExecutionReportDecoder report) {
            boolean isRefusal = RecentOrders.isRefusal(report);
            if (isRefusal && clOrdIdsOfOrders.contains(report.clOrdId())) {
                return;
            }
            Subject subject = new Subject(isRefusal, isRefusal ? report.clOrdId() : report.orderId());
            if (!words.containsKey(subject)) {
                words.put(subject, ReportedOrder.of(report));
                refusals += isRefusal ? 1 : 0;
            }
            if (!isRefusal) {
                addClOrdId(OrderRecord.clOrdIdOfOrder(report));
                if (report.origClOrdId() != 0) {
                    addClOrdId(report.origClOrdId());
                }
            }
        }

        private void addClOrdId(long clOrdId) {
            boolean isNew = clOrdIdsOfOrders.add(clOrdId);
            if (isNew && words.remove(new Subject(true, clOrdId)) != null) {
                refusals--;
            }
        }

        boolean areSettled(int count) {
            return words.size() >= count && refusals == 0;
        }

        List<ReportedOrder> first(int limit) {
            return words.values().stream().limit(limit).toList();
        }
    }
}
