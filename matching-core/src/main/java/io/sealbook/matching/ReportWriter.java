package io.sealbook.matching;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.TradeEncoder;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes reports and trades into reused buffers, numbers them, hands each to the output and to the result digest. */
final class ReportWriter {
    static final int REPORT_LENGTH = ReportRecord.LENGTH;
    static final int TRADE_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + TradeEncoder.BLOCK_LENGTH;

    private final ReportRecord report = new ReportRecord();
    private final UnsafeBuffer reportBuffer = new UnsafeBuffer(report.words(), 0, REPORT_LENGTH);
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[TRADE_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final TradeEncoder trade = new TradeEncoder();
    private final ResultDigest digest;
    private final int[] brokerIds;
    private final long[] reportSequences;
    private MatchingOutput output;
    private long blockSequence;
    private long blockTimeNs;
    private long batchIndex;
    private int orderIndex;
    /** Position of the broker of the report in hand. */
    private int reportBroker;

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
        digest.beginBlock();
        noCause();
    }

    void endBlock() {
        digest.endBlock();
        output = null;
    }

    /** Names the entry that causes the reports to come. */
    void cause(int batch, int order) {
        batchIndex = batch & 0xFFFF_FFFFL;
        orderIndex = order;
    }

    /** The reports to come are caused by no entry: both positions are null in SBE terms. */
    void noCause() {
        batchIndex = ExecutionReportEncoder.batchIndexNullValue();
        orderIndex = ExecutionReportEncoder.orderIndexNullValue();
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

    /** Reports what became of an order, no fill among it. */
    void state(OrderState order, Action action, ExecType execType, OrdStatus status) {
        state(order, action, execType, status, order.clOrdId, 0, RejectReason.NONE);
    }

    /** Reports what became of an order under another ClOrdID than its own, or why a request on it was refused. */
    void state(
            OrderState order,
            Action action,
            ExecType execType,
            OrdStatus status,
            long clOrdId,
            long origClOrdId,
            RejectReason reason) {
        boolean isOver = status == OrdStatus.CANCELED || status == OrdStatus.EXPIRED || status == OrdStatus.REJECTED;
        put(order, action, execType, status, clOrdId, origClOrdId, isOver ? 0 : order.leaves, 0, 0, 0, reason);
    }

    /** Reports one fill of an order. */
    void fill(OrderState order, Action action, long lastPx, long lastQty, long tradeId) {
        put(
                order,
                action,
                ExecType.TRADE,
                order.liveStatus(),
                order.clOrdId,
                0,
                order.leaves,
                lastPx,
                lastQty,
                tradeId,
                RejectReason.NONE);
    }

    private void put(
            OrderState order,
            Action action,
            ExecType execType,
            OrdStatus status,
            long clOrdId,
            long origClOrdId,
            long leaves,
            long lastPx,
            long lastQty,
            long tradeId,
            RejectReason reason) {
        start(order.broker, order.orderId);
        report.ids(tradeId, clOrdId, origClOrdId)
                .order(order.price, order.quantity, leaves, order.cumQty, order.cumValue)
                .last(lastPx, lastQty)
                .place(order.account, order.instrumentId)
                .kind(action, order.sbeSide(), order.ordType, order.timeInForce, execType, status, reason);
        finishReport();
    }

    /** Reports why an entry was refused that named no live order; its fields are given back as they came. */
    void refusal(int broker, Entry entry, RejectReason reason) {
        boolean isRequest = entry.action == Action.CANCEL || entry.action == Action.REPLACE;
        start(broker, 0);
        report.ids(0, entry.clOrdId, entry.origClOrdId)
                .order(entry.price, entry.quantity, 0, 0, 0)
                .last(0, 0)
                .place(entry.accountId, entry.instrumentId)
                .kind(
                        entry.action,
                        entry.side,
                        entry.ordType,
                        entry.timeInForce,
                        isRequest ? ExecType.CANCEL_REJECT : ExecType.REJECTED,
                        OrdStatus.REJECTED,
                        reason);
        finishReport();
    }

    /** Publishes one pairing of an incoming order with a resting one; returns its number. */
    void trade(OrderState incoming, OrderState resting, long price, long quantity, long tradeId) {
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
        digest.addTrade(buffer, 0);
        output.onTrade(buffer, 0, TRADE_LENGTH);
    }

    long nextTradeId() {
        return ++lastTradeId;
    }

    private void start(int broker, long orderId) {
        reportBroker = broker;
        report.begin(++reportSequences[broker], blockSequence, orderId, ++lastExecId, blockTimeNs, brokerIds[broker])
                .cause(batchIndex, orderIndex);
    }

    private void finishReport() {
        boolean isFirst = digest.addReport(reportBroker, report.words());
        output.onReport(reportBuffer, 0, REPORT_LENGTH);
        output.onPackedReport(
                brokerIds[reportBroker],
                reportSequences[reportBroker],
                isFirst,
                digest.packed(),
                digest.packedFrom(),
                digest.packedLength());
    }
}
