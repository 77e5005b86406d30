package io.sealbook.perf.broker;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.ExecType;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The answers to a broker's orders, each of which an engine gives when it executes the order: one for every order, in
 * the order of their ClOrdIDs, which count from 1, and none of them a refusal. Fills, and remainders that the engine
 * cancels, are no answers.
 *
 * <p>One thread hears reports; any thread may read.
 */
final class OrderAnswers {
    private final AtomicReference<String> fault = new AtomicReference<>();
    private volatile long last;

    void onReport(ExecutionReport report) {
        if (!isAnswer(report)) {
            return;
        }
        long clOrdId = report.clOrdId();
        if (isRefusal(report)) {
            note("order " + clOrdId + " was refused in block " + report.blockSequence() + ": " + report.rejectReason());
        } else if (clOrdId <= last) {
            note("order " + clOrdId + " was executed again in block " + report.blockSequence() + ", after order "
                    + last);
        } else if (clOrdId > last + 1) {
            note("order " + clOrdId + " was executed in block " + report.blockSequence() + ", right after order "
                    + last);
        }
        last = Math.max(last, clOrdId);
    }

    /** Returns the last order that was executed. */
    long last() {
        return last;
    }

    /** Returns the first answer that is not as expected, in a sentence. */
    Optional<String> fault() {
        return Optional.ofNullable(fault.get());
    }

    private void note(String found) {
        fault.compareAndSet(null, found);
    }

    private static boolean isAnswer(ExecutionReport report) {
        return switch (report.execType()) {
            case NEW, REPLACED -> true;
            // Without the order that was to be cancelled it is the engine that cancels the rest of this one.
            case CANCELED -> report.origClOrdId() != Order.NO_ORDER;
            default -> isRefusal(report);
        };
    }

    private static boolean isRefusal(ExecutionReport report) {
        return report.execType() == ExecType.REJECTED || report.execType() == ExecType.CANCEL_REJECT;
    }
}
