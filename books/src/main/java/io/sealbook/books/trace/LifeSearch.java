package io.sealbook.books.trace;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.order.OrderPlace;
import io.sealbook.archive.order.OrderQuery;
import io.sealbook.archive.order.OrderSearch;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.books.table.BlockSpan;
import io.sealbook.books.trace.OrderLife.LifeEvent;
import io.sealbook.books.trace.OrderLife.ReportedResult;
import io.sealbook.books.trace.OrderLife.SignedEntry;
import io.sealbook.engine.reports.ReportScan;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Searches the life of an order: the reports that name its ClOrdID give its OrderID, the reports of that OrderID give
 * its life, and the cause of each leads to the signed entry. The archive is searched entry by entry only if the reports
 * do not reach back to the begin. One thread; each search reads the files anew.
 */
public final class LifeSearch {
    private static final byte NEW = '0';
    private static final byte CANCEL_REJECT = '9';
    private static final byte REJECTED = '8';
    private static final byte MASS_CANCEL_REPORT = 'r';

    private final EngineDirectory node;
    private final BlockSpan span;

    /**
     * @param directory of the node; only read
     * @param span blocks that are searched
     */
    public LifeSearch(Path directory, BlockSpan span) {
        this.node = new EngineDirectory(directory);
        this.span = span;
    }

    /**
     * Searches an order.
     *
     * @param brokerId unsigned
     * @param clOrdId FIX ClOrdID(11) under which the broker entered, replaced or cancelled it, unsigned
     * @param areCounterpartsShown whether the other side of each trade is searched in the reports of all brokers
     * @return without events if no entry and no report names it
     */
    public OrderLife search(int brokerId, long clOrdId, boolean areCounterpartsShown) {
        List<ReportFields> reports = reports(brokerId, clOrdId);
        Map<Long, ReportFields> counterparts = areCounterpartsShown ? counterparts(reports) : Map.of();
        try (ArchiveReader archive = ArchiveReader.open(node.archive())) {
            Map<OrderPlace, SignedEntry> entries = new LinkedHashMap<>();
            for (ReportFields report : reports) {
                entryOf(report, archive)
                        .ifPresent(entry -> entries.put(entry.order().place(), entry));
            }
            if (!reachesBegin(reports)) {
                addSearched(entries, new OrderQuery(brokerId, clOrdId), archive);
            }
            long from = Math.max(span.from(), archive.firstSequence());
            long to = Math.min(span.to(), archive.lastSequence());
            return new OrderLife(events(reports, entries, counterparts), from, to);
        }
    }

    /** Returns whether a report changed an order: it is no refusal and no answer about many orders. */
    static boolean isOfOrder(ReportFields report) {
        return report.execType() != REJECTED
                && report.execType() != CANCEL_REJECT
                && report.execType() != MASS_CANCEL_REPORT;
    }

    private List<ReportFields> reports(int brokerId, long clOrdId) {
        Set<Long> orderIds = new HashSet<>();
        scan(store(brokerId), span, report -> {
            if (isOfOrder(report) && names(report, clOrdId)) {
                orderIds.add(report.orderId());
            }
        });
        List<ReportFields> reports = new ArrayList<>();
        scan(store(brokerId), span, report -> {
            if (names(report, clOrdId) || report.orderId() != 0 && orderIds.contains(report.orderId())) {
                reports.add(report);
            }
        });
        return reports;
    }

    private static boolean names(ReportFields report, long clOrdId) {
        return report.clOrdId() == clOrdId || clOrdId != 0 && report.origClOrdId() == clOrdId;
    }

    /** Returns the report of the other side of each trade, by the ExecID of the report of this side. */
    private Map<Long, ReportFields> counterparts(List<ReportFields> reports) {
        Map<Long, ReportFields> byTrade = new HashMap<>();
        reports.stream().filter(report -> report.tradeId() != 0).forEach(fill -> byTrade.put(fill.tradeId(), fill));
        Map<Long, ReportFields> counterparts = new HashMap<>();
        if (byTrade.isEmpty()) {
            return counterparts;
        }
        long[] blocks = byTrade.values().stream()
                .mapToLong(ReportFields::block)
                .sorted()
                .toArray();
        for (Path store : stores()) {
            scan(store, new BlockSpan(blocks[0], blocks[blocks.length - 1]), report -> {
                ReportFields fill = byTrade.get(report.tradeId());
                if (report.tradeId() != 0 && fill != null && fill.execId() != report.execId()) {
                    counterparts.put(fill.execId(), report);
                    counterparts.put(report.execId(), fill);
                }
            });
        }
        return counterparts;
    }

    private Path store(int brokerId) {
        return node.reports().resolve("broker-" + Integer.toUnsignedString(brokerId));
    }

    private List<Path> stores() {
        try (Stream<Path> stores = Files.list(node.reports())) {
            return stores.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot list " + node.reports(), e);
        }
    }

    private static void scan(Path store, BlockSpan span, Consumer<ReportFields> visitor) {
        try (ReportScan scan = ReportScan.open(store, span.from())) {
            while (scan.next() && scan.report().blockSequence() <= span.to()) {
                if (span.contains(scan.report().blockSequence())) {
                    visitor.accept(scan.fields());
                }
            }
        }
    }

    private static boolean reachesBegin(List<ReportFields> reports) {
        return !reports.isEmpty()
                && (reports.getFirst().execType() == NEW || reports.getFirst().execType() == REJECTED);
    }

    /** Returns the entry that caused a report, if it is one of this order: the other side may have caused a fill. */
    private static Optional<SignedEntry> entryOf(ReportFields report, ArchiveReader archive) {
        return archive.read(report.block())
                .map(Block::wrap)
                .flatMap(block -> report.batchIndex() < block.batchCount()
                        ? new BlockOrders()
                                .of(block, (int) report.batchIndex()).stream()
                                        .skip(report.orderIndex())
                                        .findFirst()
                                        .filter(order -> order.brokerId() == report.brokerId()
                                                && order.fields().clOrdId() == report.clOrdId())
                                        .map(order -> signed(order, block, archive))
                        : Optional.empty());
    }

    private void addSearched(Map<OrderPlace, SignedEntry> entries, OrderQuery query, ArchiveReader archive) {
        new OrderSearch(archive).search(span.from(), span.to(), query, new OrderSearch.Listener() {
            @Override
            public void onOrder(ArchivedOrder order) {
                Block block = Block.wrap(archive.read(order.place().sequence()).orElseThrow());
                entries.computeIfAbsent(order.place(), place -> signed(order, block, archive));
            }

            @Override
            public void onUnreadable(long sequence, String fact) {
                throw new OperatingFailureException(fact);
            }

            @Override
            public void onSearched(long sequence) {
                // A life is printed at its end.
            }
        });
    }

    private static SignedEntry signed(ArchivedOrder order, Block block, ArchiveReader archive) {
        return new SignedEntry(
                order,
                block.arrivalTimeNs(order.place().batchIndex()),
                archive.certificateAtOrAfter(order.place().sequence()).map(CheckpointCertificate::sequence));
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
