package io.sealbook.chaos.history;

import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.client.ExecutionReport;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.Side;
import java.util.HashMap;
import java.util.Map;

/**
 * Each order as a register whose states its reports show: new, partially filled, then filled, canceled or replaced. A
 * report that shows an earlier state than one before it, or quantities that do not follow from those before, is found.
 */
final class OrderLifeCheck {
    /**
     * A live order.
     *
     * @param quantity total
     * @param cum filled
     */
    private record LiveOrder(long orderId, long quantity, long cum, int instrumentId, Side side, long price) {
        long leaves() {
            return quantity - cum;
        }
    }

    private final History history;
    private final Findings findings;
    private final Map<Long, LiveOrder> live = new HashMap<>();

    OrderLifeCheck(History history, Findings findings) {
        this.history = history;
        this.findings = findings;
    }

    void run() {
        history.reports().forEach((broker, reports) -> {
            live.clear();
            reports.forEach(report -> {
                String fault = apply(report);
                if (fault != null) {
                    findings.add(Rule.ORDER_LIFE, "broker " + broker + ": " + fault + ": " + report);
                }
            });
        });
    }

    /** Returns what is wrong with a report after those before it, or null. */
    private String apply(ExecutionReport report) {
        return switch (report.execType()) {
            case NEW -> begin(report);
            case TRADE -> trade(report);
            case CANCELED, EXPIRED -> end(report);
            case REPLACED -> replace(report);
            case REJECTED -> report.ordStatus() == OrdStatus.REJECTED ? null : "a rejected order is not REJECTED";
            case CANCEL_REJECT -> refuse(report);
            case MASS_CANCEL_REPORT -> report.orderId() == 0 ? null : "a request names an order";
            default -> "no kind of a report";
        };
    }

    private String begin(ExecutionReport report) {
        LiveOrder order = new LiveOrder(
                report.orderId(), report.quantity(), 0, report.instrumentId(), report.side(), report.price());
        if (live.putIfAbsent(report.clOrdId(), order) != null) {
            return "the order lives already";
        }
        return report.cumQty() == 0 && report.leavesQty() == report.quantity() && report.ordStatus() == OrdStatus.NEW
                ? null
                : "a new order has fills";
    }

    private String trade(ExecutionReport report) {
        LiveOrder before = live.get(report.clOrdId());
        if (before == null) {
            return "an order that does not live trades";
        }
        LiveOrder after = new LiveOrder(
                before.orderId,
                before.quantity,
                before.cum + report.lastQty(),
                before.instrumentId,
                before.side,
                before.price);
        store(report.clOrdId(), after);
        if (report.lastQty() <= 0
                || report.orderId() != before.orderId
                || report.instrumentId() != before.instrumentId) {
            return "no trade of " + before;
        }
        if (before.side == Side.BUY ? report.lastPx() > before.price : report.lastPx() < before.price) {
            return "a price beyond the limit of " + before;
        }
        OrdStatus status = after.leaves() == 0 ? OrdStatus.FILLED : OrdStatus.PARTIALLY_FILLED;
        return report.cumQty() == after.cum && report.leavesQty() == after.leaves() && report.ordStatus() == status
                ? null
                : "expected filled " + after.cum + ", open " + after.leaves() + ", " + status;
    }

    private void store(long clOrdId, LiveOrder order) {
        if (order.leaves() <= 0) {
            live.remove(clOrdId);
        } else {
            live.put(clOrdId, order);
        }
    }

    private String end(ExecutionReport report) {
        boolean isByCancel = report.execType() == ExecType.CANCELED && report.origClOrdId() != 0;
        LiveOrder before = live.remove(isByCancel ? report.origClOrdId() : report.clOrdId());
        if (before == null) {
            // Of a replaced order that does not rest, the entry names the order before.
            before = live.remove(report.clOrdId());
        }
        if (before == null) {
            return "an order that does not live ends";
        }
        return report.leavesQty() == 0 && report.cumQty() == before.cum && report.orderId() == before.orderId
                ? null
                : "expected the end of " + before;
    }

    /** A replace that comes too late names what is filled of the order that it leaves as it is. */
    private String refuse(ExecutionReport report) {
        LiveOrder order = live.get(report.origClOrdId());
        return switch (report.rejectReason()) {
            case UNKNOWN_ORDER -> order != null ? "a live order is called unknown" : null;
            case TOO_LATE -> order == null || order.cum != report.cumQty() ? "expected the state of " + order : null;
            default -> null;
        };
    }

    private String replace(ExecutionReport report) {
        LiveOrder before = live.remove(report.origClOrdId());
        if (before == null) {
            return "an order that does not live is replaced";
        }
        store(
                report.clOrdId(),
                new LiveOrder(
                        before.orderId,
                        report.quantity(),
                        before.cum,
                        before.instrumentId,
                        before.side,
                        report.price()));
        return report.cumQty() == before.cum
                        && report.leavesQty() == report.quantity() - before.cum
                        && report.orderId() == before.orderId
                ? null
                : "expected the replacement of " + before;
    }
}
