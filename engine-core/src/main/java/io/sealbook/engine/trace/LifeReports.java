package io.sealbook.engine.trace;

import io.sealbook.archive.result.ReportFields;
import io.sealbook.engine.reports.ReportScan;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.trace.LifeSearch.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reports of one order in the report files of a node. One thread. */
final class LifeReports {
    private final EngineDirectory node;
    private final Scope scope;
    private long searchedFrom;
    private boolean isCut;

    /**
     * @param node whose files are read
     * @param scope which of them
     */
    LifeReports(EngineDirectory node, Scope scope) {
        this.node = node;
        this.scope = scope;
        this.searchedFrom = scope.from();
    }

    /** Returns the first block of which all reports were searched; of use after {@link #of}. */
    long searchedFrom() {
        return searchedFrom;
    }

    /** Returns whether {@link #of} has found more reports than it returns. */
    boolean isCut() {
        return isCut;
    }

    /**
     * Returns the reports on all orders of a ClOrdID, and those that name it, in order. If the scope is limited, of
     * orders without a report among the newest that name the ClOrdID it may leave out those under another one.
     *
     * @param brokerId unsigned
     * @param clOrdId unsigned
     * @return if the scope is limited, at most {@link LifeSearch#REPORTS_MAX}, the newest
     */
    List<ReportFields> of(int brokerId, long clOrdId) {
        // By the last report that names the ClOrdID: a broker may send millions of orders under one.
        SequencedSet<Long> orderIds = new LinkedHashSet<>();
        scan(store(brokerId), scope, report -> {
            if (LifeSearch.isOfOrder(report) && names(report, clOrdId)) {
                orderIds.addLast(report.orderId());
                if (scope.isLimited() && orderIds.size() > LifeSearch.REPORTS_MAX) {
                    orderIds.removeFirst();
                }
            }
        });
        Deque<ReportFields> reports = new ArrayDeque<>();
        boolean[] isFirst = {true};
        scan(store(brokerId), scope, report -> {
            if (isFirst[0] && report.reportSequence() > 1) {
                // Reports before it may be in the same block.
                searchedFrom = Math.max(searchedFrom, report.block() + 1);
            }
            isFirst[0] = false;
            if (names(report, clOrdId) || report.orderId() != 0 && orderIds.contains(report.orderId())) {
                reports.addLast(report);
                // More orders than were remembered have more reports than this.
                if (scope.isLimited() && reports.size() > LifeSearch.REPORTS_MAX) {
                    isCut = true;
                    searchedFrom = reports.removeFirst().block() + 1;
                }
            }
        });
        return List.copyOf(reports);
    }

    private static boolean names(ReportFields report, long clOrdId) {
        return report.clOrdId() == clOrdId || clOrdId != 0 && report.origClOrdId() == clOrdId;
    }

    /** Returns the report of the other side of each trade, by the ExecID of the report of this side. */
    Map<Long, ReportFields> counterparts(List<ReportFields> reports) {
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
            scan(store, Scope.all(blocks[0], blocks[blocks.length - 1]), report -> {
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

    private static void scan(Path store, Scope scope, Consumer<ReportFields> visitor) {
        try (ReportScan scan = ReportScan.open(store, scope.from(), scope.bytesMax())) {
            while (scan.next() && scan.report().blockSequence() <= scope.to()) {
                if (scope.contains(scan.report().blockSequence())) {
                    visitor.accept(scan.fields());
                }
            }
        }
    }
}
