package io.sealbook.engine.trace;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.order.OrderPlace;
import io.sealbook.archive.order.OrderQuery;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.engine.reports.FiledBlock;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.trace.OrderLife.LifeEvent;
import io.sealbook.engine.trace.OrderLife.ReportedResult;
import io.sealbook.engine.trace.OrderLife.SignedEntry;
import io.sealbook.protocol.sbe.RejectReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Searches the life of an order: the reports that name its ClOrdID give its OrderID, the reports of that OrderID give
 * its life, and the cause of each leads to the signed entry. A life goes no further than the blocks whose reports are
 * all filed, as {@link FiledBlock} has it; entries of later blocks are found, too. One thread; each search reads the
 * files anew.
 */
public final class LifeSearch {
    /** Reports of one life, at most, if the search is limited; the newest. */
    public static final int REPORTS_MAX = 4_096;

    private static final byte NEW = '0';
    private static final byte CANCEL_REJECT = '9';
    private static final byte REJECTED = '8';
    private static final byte MASS_CANCEL_REPORT = 'r';

    private final EngineDirectory node;
    private final Scope scope;

    /**
     * What is searched.
     *
     * @param from first block
     * @param to last block
     * @param bytesMax bytes of files of reports, the newest; {@link Long#MAX_VALUE} for all. Only a search without this
     *     limit also reads the archive entry by entry if the reports do not reach back to the begin
     */
    public record Scope(long from, long to, long bytesMax) {
        /**
         * Returns all that there is in some blocks.
         *
         * @param from first one
         * @param to last one
         */
        public static Scope all(long from, long to) {
            return new Scope(from, to, Long.MAX_VALUE);
        }

        boolean isLimited() {
            return bytesMax < Long.MAX_VALUE;
        }

        boolean contains(long block) {
            return from <= block && block <= to;
        }
    }

    /**
     * @param node whose files are read
     * @param scope which of them
     */
    public LifeSearch(EngineDirectory node, Scope scope) {
        this.node = node;
        this.scope = scope;
    }

    /**
     * Searches an order in the node's archive and reports.
     *
     * @param brokerId unsigned
     * @param clOrdId FIX ClOrdID(11) under which the broker entered, replaced or cancelled it, unsigned
     * @param areCounterpartsShown whether the other side of each trade is searched in the reports of all brokers
     * @return without events if no entry and no report names it
     */
    public OrderLife search(int brokerId, long clOrdId, boolean areCounterpartsShown) {
        try (ArchiveReader archive = ArchiveReader.open(node.archive())) {
            return search(archive, brokerId, clOrdId, areCounterpartsShown);
        }
    }

    /**
     * Searches an order.
     *
     * @param archive has the blocks of the reports; stays the caller's
     * @param brokerId unsigned
     * @param clOrdId FIX ClOrdID(11) under which the broker entered, replaced or cancelled it, unsigned
     * @param areCounterpartsShown whether the other side of each trade is searched in the reports of all brokers
     * @return without events if no entry and no report names it
     */
    public OrderLife search(ArchiveReader archive, int brokerId, long clOrdId, boolean areCounterpartsShown) {
        // Before the reports are read: they may be ahead of it then, and are never behind.
        long filed = FiledBlock.in(node.reports()).orElse(0);
        long to = Math.min(scope.to(), Math.min(filed, archive.lastSequence()));
        LifeReports files = new LifeReports(node, new Scope(scope.from(), to, scope.bytesMax()));
        List<ReportFields> reports = files.of(brokerId, clOrdId);
        Map<Long, ReportFields> counterparts = areCounterpartsShown ? files.counterparts(reports) : Map.of();
        CausingEntries causes = new CausingEntries(archive);
        Map<OrderPlace, SignedEntry> entries = new LinkedHashMap<>();
        for (ReportFields report : reports) {
            causes.of(report).ifPresent(entry -> entries.put(entry.order().place(), entry));
        }
        boolean areEntriesSearched = !scope.isLimited() && !hasBegin(reports);
        if (areEntriesSearched) {
            causes.addSearched(entries, new OrderQuery(brokerId, clOrdId), scope.from(), scope.to());
        }
        long from = scope.isLimited() ? files.searchedFrom() : scope.from();
        return new OrderLife(
                events(reports, entries, counterparts), Math.max(from, archive.firstSequence()), to, files.isCut());
    }

    /** Returns whether a report changed an order: it is no refusal and no answer about many orders. */
    static boolean isOfOrder(ReportFields report) {
        return report.execType() != REJECTED
                && report.execType() != CANCEL_REJECT
                && report.execType() != MASS_CANCEL_REPORT;
    }

    /**
     * Returns whether reports have the begin of each order that they name: its acceptance, or a refusal if there is no
     * order. One that was refused as a duplicate names another order, which was accepted before.
     */
    static boolean hasBegin(List<ReportFields> reports) {
        Set<Long> accepted = new HashSet<>();
        boolean isRefused = false;
        for (ReportFields report : reports) {
            if (report.execType() == NEW) {
                accepted.add(report.orderId());
            } else if (isOfOrder(report) && !accepted.contains(report.orderId())
                    || isDuplicate(report) && accepted.isEmpty()) {
                return false;
            }
            isRefused |= report.execType() == REJECTED;
        }
        return isRefused || !accepted.isEmpty();
    }

    private static boolean isDuplicate(ReportFields report) {
        return report.execType() == REJECTED && report.rejectReason() == RejectReason.DUPLICATE_CL_ORD_ID.value();
    }

    /** Returns the reports in their order, each entry before the first report that it caused. */
    private static List<LifeEvent> events(
            List<ReportFields> reports, Map<OrderPlace, SignedEntry> entries, Map<Long, ReportFields> counterparts) {
        Map<OrderPlace, SignedEntry> left = new LinkedHashMap<>(entries);
        List<LifeEvent> events = new ArrayList<>();
        for (ReportFields report : reports) {
            OrderPlace cause = new OrderPlace(report.block(), (int) report.batchIndex(), report.orderIndex());
            Optional.ofNullable(left.remove(cause)).ifPresent(events::add);
            events.add(new ReportedResult(report, Optional.ofNullable(counterparts.get(report.execId()))));
        }
        events.addAll(left.values());
        events.sort(Comparator.comparingLong(LifeEvent::block));
        return events;
    }
}
