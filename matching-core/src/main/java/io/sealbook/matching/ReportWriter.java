package io.sealbook.matching;

import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.TradeEncoder;
import io.sealbook.vocabulary.Digest;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes reports and trades into reused records, numbers them, hands each to the output and to the result digest. */
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
        ExecType execType;
        OrdStatus ordStatus;
        RejectReason reason;

        void noFill() {
            lastPx = 0;
            lastQty = 0;
            tradeId = 0;
        }
    }

    private final byte[] tradeMessage = new byte[TRADE_LENGTH];
    private final UnsafeBuffer buffer = new UnsafeBuffer(tradeMessage);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final TradeEncoder trade = new TradeEncoder();
    private final ResultDigest digest;
    private final int[] brokerIds;
    private final long[] reportSequences;
    /** Those before the open block. */
    private final long[] sequencesBefore;

    private final byte[] brokerDigest = new byte[Digest.LENGTH];
    /** Of each broker its latest report. */
    private final ReportRecord[] records;
    /** The fields of a refused entry, as an order. */
    private final OrderState refused = new OrderState();

    private final Event event = new Event();

    private MatchingOutput output;
    private long blockSequence;
    private long blockTimeNs;
    private long batchIndex;
    private int orderIndex;

    private long lastExecId;
    private long lastTradeId;

    ReportWriter(ResultDigest digest, int[] brokerIds) {
        this.digest = digest;
        this.brokerIds = brokerIds;
        this.reportSequences = new long[brokerIds.length];
        this.sequencesBefore = new long[brokerIds.length];
        this.records = new ReportRecord[brokerIds.length];
        Arrays.setAll(records, i -> new ReportRecord(digest.reports(i).packed()));
    }

    void beginBlock(long sequence, long timeNs, MatchingOutput blockOutput) {
        blockSequence = sequence;
        blockTimeNs = timeNs;
        output = blockOutput;
        System.arraycopy(reportSequences, 0, sequencesBefore, 0, reportSequences.length);
        digest.beginBlock();
        noCause();
    }

    void endBlock() {
        digest.endBlock(blockSequence);
        for (int broker = 0; broker < brokerIds.length; broker++) {
            int count = (int) (reportSequences[broker] - sequencesBefore[broker]);
            if (count > 0) {
                digest.reports(broker).root(brokerDigest);
                output.onBrokerDigest(brokerIds[broker], sequencesBefore[broker] + 1, count, brokerDigest);
            }
        }
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
        said.execType = execType;
        said.ordStatus = status;
        said.reason = reason;
        report(order, said);
    }

    /** Reports one fill of an order. */
    void fill(OrderState order, long lastPx, long lastQty, long tradeId) {
        Event said = event;
        said.clOrdId = order.clOrdId;
        said.origClOrdId = 0;
        said.leaves = order.leaves;
        said.lastPx = lastPx;
        said.lastQty = lastQty;
        said.tradeId = tradeId;
        said.execType = ExecType.TRADE;
        said.ordStatus = order.liveStatus();
        said.reason = RejectReason.NONE;
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
        said.execType = isRequest ? ExecType.CANCEL_REJECT : ExecType.REJECTED;
        said.ordStatus = OrdStatus.REJECTED;
        said.reason = reason;
        report(order, said);
    }

    private long causeAndKind(int kind, Event said) {
        return orderIndex
                | (kind & LOW_HALF) << 16
                | (said.execType.value() & LOW_BYTE) << 48
                | (said.ordStatus.value() & LOW_BYTE) << 56;
    }

    private void report(OrderState order, Event said) {
        int broker = order.broker;
        ReportRecord record = records[broker];
        PackedRun run = digest.reports(broker);
        boolean isAlone = run.begin();
        long at = record.begin(run.length(), isAlone);
        at = record.set(at, ReportRecord.REPORT_SEQUENCE, ++reportSequences[broker]);
        if (isAlone) {
            at = record.set(at, ReportRecord.BLOCK_SEQUENCE, blockSequence);
        }
        at = record.set(at, ReportRecord.ORDER_ID, order.orderId);
        at = record.set(at, ReportRecord.EXEC_ID, ++lastExecId);
        at = record.set(at, ReportRecord.TRADE_ID, said.tradeId);
        at = record.set(at, ReportRecord.CL_ORD_ID, said.clOrdId);
        at = record.set(at, ReportRecord.ORIG_CL_ORD_ID, said.origClOrdId);
        at = record.set(at, ReportRecord.PRICE, order.price);
        at = record.set(at, ReportRecord.QUANTITY, order.quantity);
        at = record.set(at, ReportRecord.LAST_PX, said.lastPx);
        at = record.set(at, ReportRecord.LAST_QTY, said.lastQty);
        at = record.set(at, ReportRecord.LEAVES_QTY, said.leaves);
        at = record.set(at, ReportRecord.CUM_QTY, order.cumQty);
        at = record.set(at, ReportRecord.CUM_VALUE, order.cumValue);
        if (isAlone) {
            at = record.set(at, ReportRecord.TRANSACT_TIME, blockTimeNs);
        }
        at = record.set(at, ReportRecord.BROKER_AND_ACCOUNT, (long) order.account << 32 | brokerIds[broker] & LOW_HALF);
        at = record.set(at, ReportRecord.INSTRUMENT_AND_BATCH, batchIndex << 32 | order.instrumentId & LOW_HALF);
        at = record.set(at, ReportRecord.CAUSE_AND_KIND, causeAndKind(order.kind, said));
        at = record.set(at, ReportRecord.REJECT_REASON, said.reason.value() & LOW_BYTE);
        digest.endReport(run, record.end(at));
        output.onReport(record);
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
        digest.addTrade(tradeMessage);
        output.onTrade(buffer, 0, TRADE_LENGTH);
    }

    long nextTradeId() {
        return ++lastTradeId;
    }
}
