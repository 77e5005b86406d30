package io.sealbook.matching;

import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.TradeEncoder;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Numbers reports and trades, writes the result of each report into the result digest, and hands reports and trades to
 * the output in reused records.
 */
final class ReportWriter {
    static final int TRADE_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + TradeEncoder.BLOCK_LENGTH;

    private static final long LOW_HALF = 0xFFFF_FFFFL;
    private static final long LOW_BYTE = 0xFFL;

    /** The fields of a report besides its order's. Reused. */
    private static final class Event {
        long clOrdId;
        long origClOrdId;
        long leaves;
        long lastPx;
        long lastQty;
        long tradeId;
        ResultEvent event;
        ExecType execType;
        OrdStatus ordStatus;
        RejectReason reason;

        void noFill() {
            lastPx = 0;
            lastQty = 0;
            tradeId = 0;
        }
    }

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[TRADE_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final TradeEncoder trade = new TradeEncoder();
    private final ResultDigest digest;
    private final int[] brokerIds;
    private final long[] reportSequences;
    private final ReportRecord record = new ReportRecord();
    /** The fields of a refused entry, as an order. */
    private final OrderState refused = new OrderState();

    private final Event event = new Event();

    private MatchingOutput output;
    private long blockSequence;
    private long blockTimeNs;
    private long batchIndex;
    private int orderIndex;
    /** Both, as a cell has them. */
    private long cause;

    private long lastExecId;
    private long lastTradeId;

    ReportWriter(ResultDigest digest, int[] brokerIds) {
        this.digest = digest;
        this.brokerIds = brokerIds;
        this.reportSequences = new long[brokerIds.length];
    }

    void beginBlock(long sequence, long timeNs, MatchingOutput blockOutput) {
        blockSequence = sequence;
        blockTimeNs = timeNs;
        output = blockOutput;
        record.set(ReportRecord.BLOCK_SEQUENCE, sequence);
        record.set(ReportRecord.TRANSACT_TIME, timeNs);
        digest.beginBlock();
        noCause();
    }

    void endBlock() {
        digest.endBlock(blockSequence);
        output = null;
    }

    /** Names the entry that causes the reports to come. */
    void cause(int batch, int order) {
        batchIndex = batch & 0xFFFF_FFFFL;
        orderIndex = order;
        cause = ResultCell.cause(batchIndex, order);
    }

    /** The reports to come are caused by no entry: both positions are null in SBE terms. */
    void noCause() {
        batchIndex = ExecutionReportEncoder.batchIndexNullValue();
        orderIndex = ExecutionReportEncoder.orderIndexNullValue();
        cause = ResultCell.cause(ResultCell.NO_BATCH, ResultCell.NO_ORDER);
    }

    long lastExecId() {
        return lastExecId;
    }

    long lastTradeId() {
        return lastTradeId;
    }

    long reportSequence(int broker) {
        return reportSequences[broker];
    }

    void restore(long execId, long tradeId) {
        lastExecId = execId;
        lastTradeId = tradeId;
    }

    void restoreReportSequence(int broker, long sequence) {
        reportSequences[broker] = sequence;
    }

    /** Reports a new state of an order, except a fill. */
    void state(OrderState order, ExecType execType, OrdStatus status) {
        state(order, execType, status, order.clOrdId, 0, RejectReason.NONE);
    }

    /** Reports a new state of an order under another ClOrdID than its own, or why a request on it was refused. */
    void state(
            OrderState order,
            ExecType execType,
            OrdStatus status,
            long clOrdId,
            long origClOrdId,
            RejectReason reason) {
        boolean isOver = status == OrdStatus.CANCELED || status == OrdStatus.EXPIRED || status == OrdStatus.REJECTED;
        Event said = event;
        said.clOrdId = clOrdId;
        said.origClOrdId = origClOrdId;
        said.leaves = isOver ? 0 : order.leaves;
        said.noFill();
        said.event = event(execType);
        said.execType = execType;
        said.ordStatus = status;
        said.reason = reason;
        digest(order, said, order.orderId, order.cumQty, order.leaves);
        report(order, said);
    }

    private static ResultEvent event(ExecType execType) {
        return switch (execType) {
            case NEW -> ResultEvent.ACCEPTED;
            case REPLACED -> ResultEvent.REPLACED;
            case CANCELED -> ResultEvent.CANCELED;
            case EXPIRED -> ResultEvent.EXPIRED;
            case REJECTED -> ResultEvent.REJECTED;
            case CANCEL_REJECT -> ResultEvent.CANCEL_REJECTED;
            case TRADE, NULL_VAL -> throw new BrokenInvariantException(execType + " is no state");
        };
    }

    /** Reports one pairing of an incoming order with a resting one: to both brokers, then as a trade. */
    void fill(OrderState incoming, OrderState resting, long price, long quantity) {
        long tradeId = ++lastTradeId;
        fill(incoming, ResultEvent.INCOMING_FILL, price, quantity, tradeId);
        fill(resting, ResultEvent.RESTING_FILL, price, quantity, tradeId);
        trade(incoming, resting, price, quantity, tradeId);
    }

    private void fill(OrderState order, ResultEvent side, long lastPx, long lastQty, long tradeId) {
        Event said = event;
        said.clOrdId = order.clOrdId;
        said.origClOrdId = 0;
        said.leaves = order.leaves;
        said.lastPx = lastPx;
        said.lastQty = lastQty;
        said.tradeId = tradeId;
        said.event = side;
        said.execType = ExecType.TRADE;
        said.ordStatus = order.liveStatus();
        said.reason = RejectReason.NONE;
        digest(order, said, side == ResultEvent.INCOMING_FILL ? lastPx : order.orderId, tradeId, lastQty);
        report(order, said);
    }

    /**
     * Reports why an entry was refused that named no live order; its fields are given back, bytes that mean nothing as
     * absent.
     */
    void refusal(int broker, Entry entry, RejectReason reason) {
        byte action = Kind.action(entry.kind);
        boolean isRequest = action == Kind.CANCEL || action == Kind.REPLACE;
        OrderState order = refused;
        order.broker = broker;
        order.price = entry.price;
        order.quantity = entry.quantity;
        order.account = entry.accountId;
        order.instrumentId = entry.instrumentId;
        order.kind = entry.kind;
        Event said = event;
        said.clOrdId = entry.clOrdId;
        said.origClOrdId = entry.origClOrdId;
        said.leaves = 0;
        said.noFill();
        said.event = isRequest ? ResultEvent.CANCEL_REJECTED : ResultEvent.REJECTED;
        said.execType = isRequest ? ExecType.CANCEL_REJECT : ExecType.REJECTED;
        said.ordStatus = OrdStatus.REJECTED;
        said.reason = reason;
        digest(order, said, 0, 0, 0);
        report(order, said);
    }

    private void digest(OrderState order, Event said, long orderId, long tradeOrCumQty, long quantity) {
        long sequence = ++reportSequences[order.broker];
        long head = ResultCell.head(cause, said.event, said.reason.value());
        digest.add(order.broker, sequence, head, orderId, tradeOrCumQty, quantity);
    }

    private long causeAndKind(int kind, Event said) {
        return orderIndex
                | (kind & LOW_HALF) << 16
                | (said.execType.value() & LOW_BYTE) << 48
                | (said.ordStatus.value() & LOW_BYTE) << 56;
    }

    private void report(OrderState order, Event said) {
        int broker = order.broker;
        ReportRecord to = record;
        to.set(ReportRecord.REPORT_SEQUENCE, reportSequences[broker]);
        to.set(ReportRecord.ORDER_ID, order.orderId);
        to.set(ReportRecord.EXEC_ID, ++lastExecId);
        to.set(ReportRecord.TRADE_ID, said.tradeId);
        to.set(ReportRecord.CL_ORD_ID, said.clOrdId);
        to.set(ReportRecord.ORIG_CL_ORD_ID, said.origClOrdId);
        to.set(ReportRecord.PRICE, order.price);
        to.set(ReportRecord.QUANTITY, order.quantity);
        to.set(ReportRecord.LAST_PX, said.lastPx);
        to.set(ReportRecord.LAST_QTY, said.lastQty);
        to.set(ReportRecord.LEAVES_QTY, said.leaves);
        to.set(ReportRecord.CUM_QTY, order.cumQty);
        to.set(ReportRecord.CUM_VALUE, order.cumValue);
        to.set(ReportRecord.BROKER_AND_ACCOUNT, (long) order.account << 32 | brokerIds[broker] & LOW_HALF);
        to.set(ReportRecord.INSTRUMENT_AND_BATCH, batchIndex << 32 | order.instrumentId & LOW_HALF);
        to.set(ReportRecord.CAUSE_AND_KIND, causeAndKind(order.kind, said));
        to.set(ReportRecord.REJECT_REASON, said.reason.value() & LOW_BYTE);
        output.onReport(to);
    }

    private void trade(OrderState incoming, OrderState resting, long price, long quantity, long tradeId) {
        boolean isBuy = incoming.side() == 0;
        OrderState buy = isBuy ? incoming : resting;
        OrderState sell = isBuy ? resting : incoming;
        trade.wrapAndApplyHeader(buffer, 0, header)
                .tradeId(tradeId)
                .blockSequence(blockSequence)
                .buyOrderId(buy.orderId)
                .sellOrderId(sell.orderId)
                .buyClOrdId(buy.clOrdId)
                .sellClOrdId(sell.clOrdId)
                .price(price)
                .quantity(quantity)
                .tradeTimeNs(blockTimeNs)
                .instrumentId(incoming.instrumentId & 0xFFFF_FFFFL)
                .buyBrokerId(brokerIds[buy.broker] & 0xFFFF_FFFFL)
                .sellBrokerId(brokerIds[sell.broker] & 0xFFFF_FFFFL)
                .buyAccountId(buy.account & 0xFFFF_FFFFL)
                .sellAccountId(sell.account & 0xFFFF_FFFFL)
                .aggressorSide(isBuy ? AggressorSide.BUY : AggressorSide.SELL);
        output.onTrade(buffer, 0, TRADE_LENGTH);
    }
}
