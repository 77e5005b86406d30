package io.sealbook.chaos.history;

import io.sealbook.chaos.ledger.LedgerEntry;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A right history of two brokers, whose parts tests replace by wrong ones. Broker 1 sells 50 (#1), then cancels it
 * (#2); broker 2 buys 30 in between (#1). The program of broker 1 is killed and sees its last report in its second run.
 */
final class SampleHistory {
    static final String HASH = "aa";
    /** The last block that may contain any of the batches. */
    static final long VALID_UNTIL = 10;

    final List<LedgerEntry> firstRun = new ArrayList<>();
    final List<LedgerEntry> secondRun = new ArrayList<>();
    final List<LedgerEntry> otherBroker = new ArrayList<>();
    final List<ChainBatch> chain = new ArrayList<>();
    final List<ExecutionReport> reports = new ArrayList<>();
    final List<ExecutionReport> otherReports = new ArrayList<>();
    boolean areReportsRead = true;

    SampleHistory() {
        Order sell = Order.limit(1, 1, 1, Side.SELL, 100, 50);
        Order cancel = Order.cancel(2, 1, 1, 1, Side.SELL);
        Order buy = Order.limit(1, 2, 1, Side.BUY, 101, 30);

        reports.add(report(1, 1, 0, 1, sell, ExecType.NEW, OrdStatus.NEW, 0, 0, 50));
        reports.add(report(1, 2, 0, 2, sell, ExecType.TRADE, OrdStatus.PARTIALLY_FILLED, 30, 30, 20));
        reports.add(report(1, 3, 0, 3, cancel, ExecType.CANCELED, OrdStatus.CANCELED, 0, 30, 0));
        otherReports.add(report(2, 2, 0, 1, buy, ExecType.NEW, OrdStatus.NEW, 0, 0, 30));
        otherReports.add(report(2, 2, 0, 2, buy, ExecType.TRADE, OrdStatus.FILLED, 30, 30, 0));

        chain.add(new ChainBatch(new BatchPlace(1, 0), new BatchName(1, 0, 1), HASH, VALID_UNTIL, List.of(sell)));
        chain.add(new ChainBatch(new BatchPlace(2, 0), new BatchName(2, 0, 1), HASH, VALID_UNTIL, List.of(buy)));
        chain.add(new ChainBatch(new BatchPlace(3, 0), new BatchName(1, 0, 2), HASH, VALID_UNTIL, List.of(cancel)));

        firstRun.add(new LedgerEntry.ProgramStart(0, 0, 1, 1));
        firstRun.add(new LedgerEntry.SubmittedBatch(10, 0, 1, List.of(sell)));
        firstRun.add(new LedgerEntry.Acknowledgement(20, 0, 1, 1, 0, HASH));
        firstRun.add(new LedgerEntry.SeenReport(25, reports.get(0)));
        otherBroker.add(new LedgerEntry.ProgramStart(0, 0, 1, 1));
        otherBroker.add(new LedgerEntry.SubmittedBatch(30, 0, 1, List.of(buy)));
        otherBroker.add(new LedgerEntry.SeenReport(38, otherReports.get(0)));
        otherBroker.add(new LedgerEntry.SeenReport(39, otherReports.get(1)));
        otherBroker.add(new LedgerEntry.Acknowledgement(40, 0, 1, 2, 0, HASH));
        firstRun.add(new LedgerEntry.SeenReport(45, reports.get(1)));
        firstRun.add(new LedgerEntry.SubmittedBatch(50, 0, 2, List.of(cancel)));
        secondRun.add(new LedgerEntry.ProgramStart(55, 0, 3, 3));
        secondRun.add(new LedgerEntry.Acknowledgement(60, 0, 2, 3, 0, HASH));
        secondRun.add(new LedgerEntry.SeenReport(65, reports.get(2)));
    }

    /** Returns what the checker finds. */
    List<Violation> violations() {
        Findings findings = new Findings();
        HistoryChecker.check(
                new History(
                        new TreeMap<>(Map.of(1, List.of(firstRun, secondRun), 2, List.of(otherBroker))),
                        chain,
                        areReportsRead ? new TreeMap<>(Map.of(1, reports, 2, otherReports)) : Map.of()),
                findings);
        return findings.violations();
    }

    /** Replaces an entry of a list by its index. */
    static <T> void change(List<T> list, int index, T with) {
        list.set(index, with);
    }

    /** Returns a report of the trade 1 where it is a fill. */
    static ExecutionReport report(
            int broker,
            long block,
            int batch,
            long sequence,
            Order order,
            ExecType type,
            OrdStatus status,
            long lastQty,
            long cumQty,
            long leavesQty) {
        return ExecutionReport.builder()
                .reportSequence(sequence)
                .blockSequence(block)
                .orderId(broker * 10L)
                .execId(block * 100 + sequence)
                .tradeId(type == ExecType.TRADE ? 1 : 0)
                .clOrdId(order.clOrdId())
                .origClOrdId(order.origClOrdId())
                .price(order.price())
                .quantity(order.quantity())
                .lastPx(lastQty == 0 ? 0 : 100)
                .lastQty(lastQty)
                .leavesQty(leavesQty)
                .cumQty(cumQty)
                .cumValue(cumQty * 100)
                .transactTimeNs(block)
                .brokerId(broker)
                .accountId(broker)
                .instrumentId(1)
                .batchIndex(batch)
                .action(order.action() == Action.CANCEL ? Action.CANCEL : Action.NEW)
                .side(order.side())
                .execType(type)
                .ordStatus(status)
                .rejectReason(RejectReason.NULL_VAL)
                .build();
    }
}
