package io.sealbook.matching;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers and keeps the reports and trades of {@link ReferenceMarket}, block by block. */
final class ReferenceOutput {
    private static final long NO_BATCH = 0xFFFF_FFFFL;
    private static final int NO_ENTRY = 0xFFFF;

    private final Map<Integer, Long> reportSequences = new HashMap<>();
    private List<Object> records;
    private long block;
    private long timeNs;
    private long batchIndex;
    private int orderIndex;
    private long execId;
    private long tradeId;

    void startBlock(long sequence, long blockTimeNs) {
        records = new ArrayList<>();
        block = sequence;
        timeNs = blockTimeNs;
        startEntry(NO_BATCH, NO_ENTRY);
    }

    /** What follows is caused by this entry of the block. */
    void startEntry(long batch, int order) {
        batchIndex = batch;
        orderIndex = order;
    }

    List<Object> records() {
        return records;
    }

    void accepted(ReferenceOrder order) {
        append(order, order.action, ExecType.NEW, OrdStatus.NEW, order.clOrdId, 0, order.leaves());
    }

    void replaced(ReferenceOrder order, long origClOrdId) {
        append(order, Action.REPLACE, ExecType.REPLACED, order.status(), order.clOrdId, origClOrdId, order.leaves());
    }

    void canceledBy(Batch.Request request, ReferenceOrder order) {
        append(order, Action.CANCEL, ExecType.CANCELED, OrdStatus.CANCELED, request.clOrdId(), order.clOrdId, 0);
    }

    /** The market ends what is left of the order. */
    void canceled(ReferenceOrder order) {
        append(order, order.action, ExecType.CANCELED, OrdStatus.CANCELED, order.clOrdId, 0, 0);
    }

    /** A new configuration ends the order. */
    void ended(ReferenceOrder order, RejectReason reason) {
        append(
                order,
                order.action,
                ExecType.CANCELED,
                OrdStatus.CANCELED,
                order.clOrdId,
                0,
                0,
                new Fill(0, 0, 0),
                reason);
    }

    void expired(ReferenceOrder order) {
        append(order, order.action, ExecType.EXPIRED, OrdStatus.EXPIRED, order.clOrdId, 0, 0);
    }

    void replaceRejected(Batch.Request request, ReferenceOrder order, RejectReason reason) {
        append(
                order,
                Action.REPLACE,
                ExecType.CANCEL_REJECT,
                order.status(),
                request.clOrdId(),
                request.origClOrdId(),
                order.leaves(),
                new Fill(0, 0, 0),
                reason);
    }

    /** Both orders have the fill already. */
    void traded(ReferenceOrder incoming, ReferenceOrder resting, long quantity) {
        Fill fill = new Fill(++tradeId, resting.price, quantity);
        for (ReferenceOrder order : new ReferenceOrder[] {incoming, resting}) {
            append(
                    order,
                    order.action,
                    ExecType.TRADE,
                    order.status(),
                    order.clOrdId,
                    0,
                    order.leaves(),
                    fill,
                    RejectReason.NONE);
        }
        ReferenceOrder buy = incoming.side == Side.BUY ? incoming : resting;
        ReferenceOrder sell = incoming.side == Side.BUY ? resting : incoming;
        records.add(new TradeRecord(
                tradeId,
                block,
                buy.orderId,
                sell.orderId,
                buy.clOrdId,
                sell.clOrdId,
                fill.price,
                quantity,
                timeNs,
                incoming.instrument,
                buy.broker,
                sell.broker,
                buy.account,
                sell.account,
                incoming.side == Side.BUY ? AggressorSide.BUY : AggressorSide.SELL));
    }

    /** The result of a request that is about no single order. */
    void requested(int broker, Batch.Request request, long count, long leaves, RejectReason reason) {
        records.add(new Report(
                reportSequences.merge(broker, 1L, Long::sum),
                block,
                0,
                ++execId,
                0,
                request.clOrdId(),
                0,
                request.price(),
                request.quantity(),
                0,
                0,
                leaves,
                count,
                0,
                timeNs,
                broker,
                request.accountId(),
                request.instrumentId(),
                batchIndex,
                orderIndex,
                request.action(),
                request.side(),
                request.ordType(),
                request.timeInForce(),
                ExecType.MASS_CANCEL_REPORT,
                leaves == 0 ? OrdStatus.CANCELED : OrdStatus.NEW,
                reason));
    }

    void refused(int broker, Batch.Request request, RejectReason reason) {
        boolean namesAnOrder = request.action() != Action.NEW && request.action() != Action.NULL_VAL;
        records.add(new Report(
                reportSequences.merge(broker, 1L, Long::sum),
                block,
                0,
                ++execId,
                0,
                request.clOrdId(),
                request.origClOrdId(),
                request.price(),
                request.quantity(),
                0,
                0,
                0,
                0,
                0,
                timeNs,
                broker,
                request.accountId(),
                request.instrumentId(),
                batchIndex,
                orderIndex,
                request.action(),
                request.side(),
                request.ordType(),
                request.timeInForce(),
                namesAnOrder ? ExecType.CANCEL_REJECT : ExecType.REJECTED,
                OrdStatus.REJECTED,
                reason));
    }

    private record Fill(long tradeId, long price, long quantity) {}

    private void append(
            ReferenceOrder order,
            Action action,
            ExecType type,
            OrdStatus status,
            long clOrdId,
            long origClOrdId,
            long leaves) {
        Fill none = new Fill(0, 0, 0);
        append(order, action, type, status, clOrdId, origClOrdId, leaves, none, RejectReason.NONE);
    }

    private void append(
            ReferenceOrder order,
            Action action,
            ExecType type,
            OrdStatus status,
            long clOrdId,
            long origClOrdId,
            long leaves,
            Fill fill,
            RejectReason reason) {
        records.add(new Report(
                reportSequences.merge(order.broker, 1L, Long::sum),
                block,
                order.orderId,
                ++execId,
                fill.tradeId,
                clOrdId,
                origClOrdId,
                order.price,
                order.quantity,
                fill.price,
                fill.quantity,
                leaves,
                order.cum,
                order.value,
                timeNs,
                order.broker,
                order.account,
                order.instrument,
                batchIndex,
                orderIndex,
                action,
                order.side,
                order.type,
                order.tif,
                type,
                status,
                reason));
    }
}
