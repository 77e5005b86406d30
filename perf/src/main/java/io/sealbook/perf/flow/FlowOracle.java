package io.sealbook.perf.flow;

import io.sealbook.client.ExecutionReport;
import io.sealbook.perf.flow.FlowStep.ExpectedLevels;
import io.sealbook.perf.flow.FlowStep.ExpectedTrade;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.Side;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Judges the platform by its execution reports: every entry of the flow must have been executed, in the flow's order;
 * every trade must be the source's own (price, quantity, both orders), and the rebuilt book must show the source's
 * levels.
 *
 * <p>Reports of other entries of the same broker, from another program, are passed over. None of them may trade with
 * the flow's orders, and no other broker may in its instrument. Reports come from one thread, in sequence; results may
 * be read from another.
 */
public final class FlowOracle {
    private static final int DIFFERENCES_MAX = 5;

    private final OrderFlow flow;
    /** Sorted. */
    private final long[] clOrdIds;

    private final ReportedBook book = new ReportedBook();
    private final List<ExpectedTrade> trades = new ArrayList<>();
    private final List<String> differences = new ArrayList<>();

    private int stepIndex;
    private int commandIndex;
    private long causeBlock = -1;
    private int causeBatch = -1;
    private int causeOrder = -1;
    private ExecutionReport firstOfPair;

    private long executed;
    private long levelsCompared;
    private long levelsEqual;
    private long tradesExpected;
    private long tradesEqual;
    private long refused;

    public FlowOracle(OrderFlow flow) {
        this.flow = flow;
        this.clOrdIds = flow.steps().stream()
                .flatMap(step -> step.commands().stream())
                .mapToLong(FlowCommand::clOrdId)
                .sorted()
                .toArray();
        skipEmptySteps();
    }

    /** Takes the next report of the broker. */
    public synchronized void onReport(ExecutionReport report) {
        if (Arrays.binarySearch(clOrdIds, report.clOrdId()) < 0) {
            return;
        }
        boolean isNewCause = report.blockSequence() != causeBlock
                || report.batchIndex() != causeBatch
                || report.orderIndex() != causeOrder;
        if (isNewCause) {
            finishCause();
            causeBlock = report.blockSequence();
            causeBatch = report.batchIndex();
            causeOrder = report.orderIndex();
            expectCommand(report);
        }
        if (report.execType() == ExecType.REJECTED || report.execType() == ExecType.CANCEL_REJECT) {
            refused++;
            differ("refused " + report);
        }
        if (report.execType() == ExecType.TRADE) {
            onTrade(report);
        }
        book.onReport(report);
    }

    /** Ends the reports: the last entry is judged too. */
    public synchronized void finish() {
        finishCause();
        causeBlock = -1;
    }

    /** Returns how many entries of the flow were seen executed. */
    public synchronized long executedCount() {
        return executed;
    }

    public synchronized Verdict verdict() {
        return new Verdict(
                flow.name(),
                flow.commandCount(),
                executed,
                refused,
                levelsCompared,
                levelsEqual,
                tradesExpected,
                tradesEqual,
                List.copyOf(differences));
    }

    private void expectCommand(ExecutionReport report) {
        if (stepIndex >= flow.steps().size()) {
            differ("a report beyond the end of the flow: " + report);
            return;
        }
        FlowCommand expected = flow.steps().get(stepIndex).commands().get(commandIndex);
        if (report.clOrdId() != expected.clOrdId()) {
            differ("entry " + executed + " should be " + expected + ", the report is " + report);
        }
    }

    private void onTrade(ExecutionReport report) {
        if (firstOfPair == null) {
            firstOfPair = report;
            return;
        }
        ExecutionReport other = firstOfPair;
        firstOfPair = null;
        if (other.tradeId() != report.tradeId() || other.side() == report.side()) {
            differ("reports of one trade do not pair: " + other + " and " + report);
            return;
        }
        boolean isBuy = report.side() == Side.BUY;
        trades.add(new ExpectedTrade(
                report.lastPx(),
                report.lastQty(),
                isBuy ? report.clOrdId() : other.clOrdId(),
                isBuy ? other.clOrdId() : report.clOrdId()));
    }

    private void finishCause() {
        if (causeBlock < 0 || stepIndex >= flow.steps().size()) {
            return;
        }
        executed++;
        commandIndex++;
        FlowStep step = flow.steps().get(stepIndex);
        if (commandIndex < step.commands().size()) {
            return;
        }
        judge(step);
        commandIndex = 0;
        stepIndex++;
        trades.clear();
        skipEmptySteps();
    }

    /** Steps without entries repeat a state: they are compared with the present book. */
    private void skipEmptySteps() {
        while (stepIndex < flow.steps().size()
                && flow.steps().get(stepIndex).commands().isEmpty()) {
            judge(flow.steps().get(stepIndex++));
        }
    }

    private void judge(FlowStep step) {
        if (step.trades() != null) {
            tradesExpected += step.trades().size();
            if (step.trades().equals(trades)) {
                tradesEqual += trades.size();
            } else {
                differ("step " + stepIndex + " trades: expected " + step.trades() + ", got " + trades);
            }
        }
        ExpectedLevels levels = step.levels();
        if (levels != null) {
            levelsCompared++;
            long[] bids = book.top(true, levels.depth());
            long[] asks = book.top(false, levels.depth());
            if (Arrays.equals(bids, levels.bids()) && Arrays.equals(asks, levels.asks())) {
                levelsEqual++;
            } else {
                differ("step " + stepIndex + " levels: expected bids " + Arrays.toString(levels.bids()) + " asks "
                        + Arrays.toString(levels.asks()) + ", got bids " + Arrays.toString(bids) + " asks "
                        + Arrays.toString(asks));
            }
        }
    }

    private void differ(String fact) {
        if (differences.size() < DIFFERENCES_MAX) {
            differences.add(fact);
        }
    }

    /**
     * What the oracle found.
     *
     * @param differences the first few, in words
     */
    public record Verdict(
            String flow,
            long commands,
            long executed,
            long refused,
            long levelsCompared,
            long levelsEqual,
            long tradesExpected,
            long tradesEqual,
            List<String> differences) {
        /** Returns whether everything was executed and everything compared was equal. */
        public boolean agrees() {
            return executed == commands
                    && refused == 0
                    && levelsEqual == levelsCompared
                    && tradesEqual == tradesExpected
                    && differences.isEmpty();
        }

        @Override
        public String toString() {
            return flow + ": " + executed + " of " + commands + " entries executed, "
                    + (levelsCompared == 0 ? "" : levelsEqual + " of " + levelsCompared + " books equal, ")
                    + (tradesExpected == 0 ? "" : tradesEqual + " of " + tradesExpected + " trades equal, ")
                    + (agrees() ? "oracle agrees" : "ORACLE DIFFERS " + differences);
        }
    }
}
