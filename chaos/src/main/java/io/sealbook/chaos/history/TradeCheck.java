package io.sealbook.chaos.history;

import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.client.ExecutionReport;
import io.sealbook.protocol.sbe.ExecType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Each trade has two fills, which agree on place, instrument, price and quantity and are of different sides. */
final class TradeCheck {
    private final History history;
    private final Findings findings;

    TradeCheck(History history, Findings findings) {
        this.history = history;
        this.findings = findings;
    }

    void run() {
        Map<Long, List<ExecutionReport>> fills = new TreeMap<>();
        history.reports().values().stream()
                .flatMap(List::stream)
                .filter(report -> report.execType() == ExecType.TRADE)
                .forEach(report -> fills.computeIfAbsent(report.tradeId(), id -> new ArrayList<>(2))
                        .add(report));
        long expected = 1;
        for (Map.Entry<Long, List<ExecutionReport>> trade : fills.entrySet()) {
            if (trade.getKey() != expected) {
                findings.add(Rule.TRADE_SIDES, "trade " + trade.getKey() + " where " + expected + " is expected");
            }
            expected = trade.getKey() + 1;
            if (trade.getValue().size() != 2
                    || !agree(trade.getValue().get(0), trade.getValue().get(1))) {
                findings.add(Rule.TRADE_SIDES, "trade " + trade.getKey() + " has the fills " + trade.getValue());
            }
        }
    }

    private static boolean agree(ExecutionReport one, ExecutionReport other) {
        return one.blockSequence() == other.blockSequence()
                && one.batchIndex() == other.batchIndex()
                && one.orderIndex() == other.orderIndex()
                && one.instrumentId() == other.instrumentId()
                && one.lastPx() == other.lastPx()
                && one.lastQty() == other.lastQty()
                && one.side() != other.side();
    }
}
