package io.sealbook.chaos.history;

import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.RejectReason;
import java.util.HashMap;
import java.util.Map;

/**
 * Each entry of the chain has one answer, which names it: NEW or REJECTED, CANCELED, REPLACED or CANCEL_REJECT. A batch
 * that is in the chain a second time is refused there as a duplicate, and one after its last block as expired. All
 * others are executed: the orders of the load break no limit and no quota, so that no new order is refused, and a
 * cancel or a replace only if it comes after the end of its order.
 */
final class AnswerCheck {
    /** The answer of an entry and how many there are. */
    private record Answer(ExecutionReport report, int count) {}

    private record EntryPlace(BatchPlace batch, int orderIndex) {}

    private final History history;
    private final ChainIndex chain;
    private final Findings findings;

    AnswerCheck(History history, ChainIndex chain, Findings findings) {
        this.history = history;
        this.chain = chain;
        this.findings = findings;
    }

    void run() {
        Map<EntryPlace, Answer> answers = new HashMap<>();
        history.reports().forEach((broker, reports) -> {
            for (ExecutionReport report : reports) {
                BatchPlace place = new BatchPlace(report.blockSequence(), report.batchIndex());
                ChainBatch batch = chain.at(place);
                if (isAnswer(report) && batch != null && batch.name().brokerId() == broker) {
                    answers.merge(
                            new EntryPlace(place, report.orderIndex()),
                            new Answer(report, 1),
                            (one, other) -> new Answer(one.report, one.count + 1));
                }
            }
        });
        for (ChainBatch batch : history.chain()) {
            if (history.reports().containsKey(batch.name().brokerId())) {
                for (int i = 0; i < batch.orders().size(); i++) {
                    judge(batch, i, answers.get(new EntryPlace(batch.place(), i)));
                }
            }
        }
    }

    /** What the rest of an order that does not stay in the book, or a trade, is no answer to an entry. */
    private static boolean isAnswer(ExecutionReport report) {
        return switch (report.execType()) {
            case NEW, REJECTED, REPLACED, CANCEL_REJECT, MASS_CANCEL_REPORT -> true;
            case CANCELED -> report.action() == Action.CANCEL;
            default -> false;
        };
    }

    private void judge(ChainBatch batch, int index, Answer answer) {
        String entry = "entry " + index + " of " + batch.name() + " at " + batch.place();
        if (answer == null) {
            findings.add(Rule.EXACTLY_ONCE, entry + " has no answer");
            return;
        }
        if (answer.count != 1) {
            findings.add(Rule.EXACTLY_ONCE, entry + " has " + answer.count + " answers");
        }
        Order order = batch.orders().get(index);
        ExecutionReport report = answer.report;
        if (report.clOrdId() != order.clOrdId() || report.action() != order.action() || !fits(order, report)) {
            findings.add(Rule.EXACTLY_ONCE, entry + ", " + order + ", has the answer " + report);
        }
        String fault = fault(batch, order, report);
        if (fault != null) {
            findings.add(Rule.EXACTLY_ONCE, entry + fault);
        }
    }

    /** Returns what is wrong with the refusal of an entry, or with its execution, or null. */
    private String fault(ChainBatch batch, Order order, ExecutionReport report) {
        RejectReason refusal = isRefusal(report) ? report.rejectReason() : RejectReason.NONE;
        if (batch.isExpired()) {
            return refusal == RejectReason.BATCH_EXPIRED
                    ? null
                    : " is after block " + batch.validUntilBlock() + ", its last, and is executed: " + report;
        }
        if (!chain.isExecuted(batch)) {
            return refusal == RejectReason.BATCH_DUPLICATE ? null : " is a copy, and is executed: " + report;
        }
        return switch (refusal) {
            case NONE -> null;
            case BATCH_DUPLICATE -> " is refused as a duplicate, and is the first";
            default -> comesTooLate(order, report) ? null : " is refused without a cause: " + report;
        };
    }

    private static boolean isRefusal(ExecutionReport report) {
        return report.execType() == ExecType.REJECTED || report.execType() == ExecType.CANCEL_REJECT;
    }

    /** {@link OrderLifeCheck} judges whether the order has ended, or is filled as far as the report says. */
    private static boolean comesTooLate(Order order, ExecutionReport report) {
        return switch (order.action()) {
            case CANCEL -> report.rejectReason() == RejectReason.UNKNOWN_ORDER;
            case REPLACE ->
                report.rejectReason() == RejectReason.UNKNOWN_ORDER
                        || report.rejectReason() == RejectReason.TOO_LATE && order.quantity() <= report.cumQty();
            default -> false;
        };
    }

    private static boolean fits(Order order, ExecutionReport report) {
        ExecType type = report.execType();
        return switch (order.action()) {
            case NEW -> type == ExecType.NEW || type == ExecType.REJECTED;
            case CANCEL -> type == ExecType.CANCELED || type == ExecType.CANCEL_REJECT;
            case REPLACE -> type == ExecType.REPLACED || type == ExecType.CANCEL_REJECT;
            case MASS_CANCEL, CANCEL_AFTER -> type == ExecType.MASS_CANCEL_REPORT || type == ExecType.CANCEL_REJECT;
            default -> false;
        };
    }
}
