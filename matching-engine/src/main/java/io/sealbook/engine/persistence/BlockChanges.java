package io.sealbook.engine.persistence;

import io.sealbook.engine.output.OutputConsumer;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The changes of a range of blocks in the database. An order that changed many times within it is written once, which
 * is most of what makes a relational database keep up.
 */
final class BlockChanges implements OutputConsumer {
    /** Orders first seen in this stretch, by order id. */
    final Map<Long, OrderRecord> newOrders = new LinkedHashMap<>();
    /**
     * Orders that are in the database already, by order id; in key order, so that rows are visited as the tree lies.
     */
    final Map<Long, OrderRecord> changedOrders = new TreeMap<>();

    final List<RefusalRecord> refusals = new ArrayList<>();
    final List<TradeRecord> trades = new ArrayList<>();
    /** Differences, not states. */
    final Map<PositionKey, PositionRecord> positions = new LinkedHashMap<>();

    record PositionKey(long accountId, long instrumentId) {}

    @Override
    public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
        ExecType execType = report.execType();
        if (execType == ExecType.REJECTED || execType == ExecType.CANCEL_REJECT) {
            refusals.add(new RefusalRecord(
                    report.blockSequence(),
                    index,
                    report.brokerId(),
                    report.clOrdId(),
                    report.accountId(),
                    report.instrumentId(),
                    report.action(),
                    report.rejectReason(),
                    report.transactTimeNs()));
            return;
        }
        if (execType == ExecType.MASS_CANCEL_REPORT) {
            return; // Of a request, not of an order.
        }
        long orderId = report.orderId();
        OrderRecord known = newOrders.get(orderId);
        if (known != null) {
            newOrders.put(orderId, OrderRecord.of(index, report, known.enteredBlock()));
        } else if (execType == ExecType.NEW) {
            newOrders.put(orderId, OrderRecord.of(index, report, report.blockSequence()));
        } else {
            changedOrders.put(orderId, OrderRecord.of(index, report, 0));
        }
    }

    @Override
    public void onTrade(int index, TradeDecoder trade) {
        long block = trade.blockSequence();
        long quantity = trade.quantity();
        long value = trade.price() * quantity;
        trades.add(new TradeRecord(
                trade.tradeId(),
                block,
                index,
                trade.instrumentId(),
                trade.price(),
                quantity,
                trade.tradeTimeNs(),
                trade.aggressorSide(),
                trade.buyOrderId(),
                trade.sellOrderId(),
                trade.buyBrokerId(),
                trade.sellBrokerId(),
                trade.buyAccountId(),
                trade.sellAccountId()));
        PositionKey buyer = new PositionKey(trade.buyAccountId(), trade.instrumentId());
        positions.put(buyer, difference(buyer).bought(quantity, value, block));
        PositionKey seller = new PositionKey(trade.sellAccountId(), trade.instrumentId());
        positions.put(seller, difference(seller).sold(quantity, value, block));
    }

    void clear() {
        newOrders.clear();
        changedOrders.clear();
        refusals.clear();
        trades.clear();
        positions.clear();
    }

    private PositionRecord difference(PositionKey key) {
        PositionRecord known = positions.get(key);
        return known != null ? known : new PositionRecord(key.accountId(), key.instrumentId(), 0, 0, 0, 0, 0);
    }
}
