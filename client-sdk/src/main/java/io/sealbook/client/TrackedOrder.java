package io.sealbook.client;

import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import java.util.Optional;

/**
 * What is known of an order of this broker. Immutable.
 *
 * @param order as it is now: after a replace with the ClOrdID, price and quantity of the replace
 * @param stage how far it has come
 * @param report the last report about it; empty before the first
 */
public record TrackedOrder(Order order, Stage stage, Optional<ExecutionReport> report) {
    /** How far an order has come. */
    public enum Stage {
        /** Submitted; no engine has reported it. */
        PENDING_NEW,
        /** It rests, or its next report comes with the same block. */
        LIVE,
        /**
         * It ended with its last report: filled, cancelled, expired or refused. Without a report its batch has expired.
         */
        DONE
    }

    /** Returns OrdStatus(39); empty before the first report. REJECTED if its batch has expired without one. */
    public Optional<OrdStatus> status() {
        return isEndedWithoutReport() ? Optional.of(OrdStatus.REJECTED) : report.map(ExecutionReport::ordStatus);
    }

    boolean isEndedWithoutReport() {
        return stage == Stage.DONE && report.isEmpty();
    }

    /** Returns LeavesQty(151); the whole quantity before the first report, 0 if its batch has expired without one. */
    public long leavesQty() {
        return isEndedWithoutReport()
                ? 0
                : report.map(ExecutionReport::leavesQty).orElse(order.quantity());
    }

    /** Returns CumQty(14). */
    public long cumQty() {
        return report.map(ExecutionReport::cumQty).orElse(0L);
    }

    /** Returns, for example, {@code order 12: DONE, CANCELED, filled 0 of 100}. */
    @Override
    public String toString() {
        return "order " + Long.toUnsignedString(order.clOrdId()) + ": " + stage
                + status().map(value -> ", " + value).orElse("") + ", filled " + cumQty() + " of " + order.quantity();
    }

    /** Returns why the order was refused; NONE if it was not. */
    public RejectReason rejectReason() {
        return isEndedWithoutReport()
                ? RejectReason.BATCH_EXPIRED
                : report.map(ExecutionReport::rejectReason).orElse(RejectReason.NONE);
    }
}
