package io.sealbook.perf.flow;

import io.sealbook.client.ExecutionReport;
import io.sealbook.protocol.sbe.Side;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** The book as a broker who hears every execution report of an instrument can rebuild it. One thread. */
final class ReportedBook {
    private record Open(boolean isBuy, long price, long leaves) {}

    private final Map<Long, Open> orders = new HashMap<>();
    private final TreeMap<Long, Long> bids = new TreeMap<>(Comparator.reverseOrder());
    private final TreeMap<Long, Long> asks = new TreeMap<>();

    void onReport(ExecutionReport report) {
        switch (report.execType()) {
            case NEW, TRADE -> set(report.clOrdId(), report, report.leavesQty());
            case REPLACED -> {
                remove(report.origClOrdId());
                set(report.clOrdId(), report, report.leavesQty());
            }
            case CANCELED, EXPIRED -> {
                remove(report.clOrdId());
                remove(report.origClOrdId());
            }
            default -> {
                // A refusal changes no book.
            }
        }
    }

    /** Returns up to {@code depth} best levels of a side as price and quantity in turn. */
    long[] top(boolean isBuy, int depth) {
        TreeMap<Long, Long> side = side(isBuy);
        long[] levels = new long[2 * Math.min(depth, side.size())];
        int i = 0;
        for (Map.Entry<Long, Long> entry : side.entrySet()) {
            if (i == levels.length) {
                break;
            }
            levels[i++] = entry.getKey();
            levels[i++] = entry.getValue();
        }
        return levels;
    }

    private void set(long clOrdId, ExecutionReport report, long leaves) {
        remove(clOrdId);
        if (leaves > 0) {
            Open order = new Open(report.side() == Side.BUY, report.price(), leaves);
            orders.put(clOrdId, order);
            side(order.isBuy()).merge(order.price(), leaves, Long::sum);
        }
    }

    private void remove(long clOrdId) {
        Open order = orders.remove(clOrdId);
        if (order != null) {
            side(order.isBuy()).computeIfPresent(order.price(), (price, quantity) -> {
                long rest = quantity - order.leaves();
                return rest == 0 ? null : rest;
            });
        }
    }

    private TreeMap<Long, Long> side(boolean isBuy) {
        return isBuy ? bids : asks;
    }
}
