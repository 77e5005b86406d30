package io.sealbook.client;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What became of an order, as f + 1 engines report it of the same block. More than one order may have borne the
 * ClOrdID, one after the other; an earlier one may live on under the ClOrdID that a replace gave it.
 *
 * @param clOrdId that was asked for, unsigned
 * @param asOfBlock the steps are those up to its end
 * @param isComplete whether the reports have the acceptance of each of their orders, or the refusal if there is none;
 *     false if there are no reports, or more than 4,096. Engines search the newest 256 MiB of the broker's reports: an
 *     order that bore the ClOrdID earlier, and ended before these, is not among the steps and not noticed
 * @param steps in the order of execution; empty if engines have no report on the order
 */
public record OrderTrace(long clOrdId, long asOfBlock, boolean isComplete, List<Step> steps) {
    /** A step of the life. */
    public sealed interface Step {
        /** Returns the block in which it happened. */
        long blockSequence();
    }

    /**
     * An entry that made, changed or cancelled the order, or tried to, as the broker signed it.
     *
     * @param blockSequence block that holds it
     * @param batchIndex position of its batch in the block, from 0
     * @param orderIndex position in its batch, from 0
     * @param batchId SHA-256 of the encoded batch, 64 hexadecimal digits
     * @param blockTimeNs the block's time, ns since 1970
     * @param action MsgType(35)
     * @param clOrdId ClOrdID(11), unsigned
     * @param origClOrdId OrigClOrdID(41), unsigned; 0 of a new order
     * @param side Side(54)
     * @param ordType OrdType(40)
     * @param timeInForce TimeInForce(59)
     * @param price Price(44) in ticks
     * @param quantity OrderQty(38) in lots
     * @param accountId Account(1)
     * @param instrumentId SecurityID(48)
     */
    public record SignedEntry(
            long blockSequence,
            int batchIndex,
            int orderIndex,
            String batchId,
            long blockTimeNs,
            Action action,
            long clOrdId,
            long origClOrdId,
            Side side,
            OrdType ordType,
            TimeInForce timeInForce,
            long price,
            long quantity,
            int accountId,
            int instrumentId)
            implements Step {}

    /**
     * A result.
     *
     * @param report as {@link ExecutionReportListener} gets it
     */
    public record Result(ExecutionReport report) implements Step {
        public Result {
            Objects.requireNonNull(report, "report");
        }

        @Override
        public long blockSequence() {
            return report.blockSequence();
        }
    }

    public OrderTrace {
        steps = List.copyOf(steps);
    }

    /** Returns all reports of the trace, in order. */
    public List<ExecutionReport> reports() {
        return steps.stream()
                .filter(Result.class::isInstance)
                .map(step -> ((Result) step).report())
                .toList();
    }

    /**
     * Returns the status of the order: its last report, which has OrdStatus(39), LeavesQty(151) and CumQty(14). Of
     * several orders it is the one that was last reported under the ClOrdID. A refused entry counts only if nothing
     * else is known under the ClOrdID: it changed no order.
     *
     * @return empty if engines have no report on it
     */
    public Optional<ExecutionReport> status() {
        Optional<ExecutionReport> named = last(report -> isOfOrder(report) && report.clOrdId() == clOrdId);
        Optional<ExecutionReport> ofOrder = last(report -> isOfOrder(report)
                && (named.isEmpty() || report.orderId() == named.get().orderId()));
        return ofOrder.or(() -> last(report -> true));
    }

    private Optional<ExecutionReport> last(Predicate<ExecutionReport> isMeant) {
        return reports().stream().filter(isMeant).reduce((earlier, later) -> later);
    }

    private static boolean isOfOrder(ExecutionReport report) {
        ExecType type = report.execType();
        return type != ExecType.REJECTED && type != ExecType.CANCEL_REJECT && type != ExecType.MASS_CANCEL_REPORT;
    }
}
