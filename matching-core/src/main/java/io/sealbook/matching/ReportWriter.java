package io.sealbook.matching;

import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.TradeEncoder;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.result.ReportRun;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Numbers reports and trades, writes the result of each report, with what it leaves out, into the broker's run, and
 * hands views of reports, trades and whole runs to the output.
 */
final class ReportWriter {
    static final int TRADE_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + TradeEncoder.BLOCK_LENGTH;

    private static final long LOW_HALF = 0xFFFF_FFFFL;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[TRADE_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final TradeEncoder trade = new TradeEncoder();
    private final ResultDigest digest;
    private int[] brokerIds = {};
    private long[] reportSequences = {};
    /** Null of a broker that has had no result. */
    private ResultRun[] runs = {};

    private final ReportRecord record = new ReportRecord();
    /** The fields of a refused entry, as an order. */
    private final OrderState refused = new OrderState();

    private final ReportEvent event = new ReportEvent();

    private MatchingOutput output;
    private long blockSequence;
    private long blockTimeNs;
    private long execIdBefore;
    private long lastExecId;
    private long lastTradeId;

    ReportWriter(ResultDigest digest, int[] brokerIds) {
        this.digest = digest;
        grow(brokerIds);
    }

    /** Reports to further brokers, too, which are at the end. */
    void grow(int[] ids) {
        brokerIds = ids;
        reportSequences = Arrays.copyOf(reportSequences, ids.length);
        runs = Arrays.copyOf(runs, ids.length);
    }

    void beginBlock(long sequence, long timeNs, MatchingOutput blockOutput) {
        blockSequence = sequence;
        blockTimeNs = timeNs;
        execIdBefore = lastExecId;
        output = blockOutput;
        record.beginBlock(sequence, timeNs);
        digest.beginBlock();
        event.noCause();
    }

    void endBlock() {
        for (ResultRun run : runs) {
            if (run != null && !run.isEmpty()) {
                close(run);
            }
        }
        digest.endBlock(blockSequence);
        output = null;
    }

    private void close(ResultRun run) {
        digest.add(run);
        output.onRun(run);
        run.reset();
    }

    /** Names the entry that causes the reports to come. */
    void cause(int batch, int order) {
        event.cause(batch, order);
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

    /** Reports that an order was cancelled, not by a cancel of its own, and why. */
    void canceled(OrderState order, RejectReason reason) {
        state(order, ExecType.CANCELED, OrdStatus.CANCELED, order.clOrdId, 0, reason);
    }

    /** As {@link #canceled}, while an entry is executed that is not the cause. */
    void canceledBefore(OrderState order, RejectReason reason) {
        ReportEvent said = event;
        long batch = said.batchIndex;
        int index = said.orderIndex;
        long cause = said.cause;
        said.noCause();
        canceled(order, reason);
        said.batchIndex = batch;
        said.orderIndex = index;
        said.cause = cause;
    }

    /**
     * Reports the result of a request that is about no single order.
     *
     * @param request its fields as an order; cumQty is the number of cancelled orders
     * @param leaves 0 if the request is complete
     */
    void request(OrderState request, long leaves, RejectReason reason) {
        ReportEvent said = event;
        said.clOrdId = request.clOrdId;
        said.origClOrdId = 0;
        said.leaves = leaves;
        said.noFill();
        said.event = ResultEvent.MASS_CANCELED;
        said.execType = ExecType.MASS_CANCEL_REPORT;
        said.ordStatus = leaves == 0 ? OrdStatus.CANCELED : OrdStatus.NEW;
        said.reason = reason;
        ResultRun run = result(request, 0, request.cumQty, leaves);
        stateDetail(request, run);
        report(request, run);
    }

    /** As {@link #request}, of an entry of a block before. */
    void earlierRequest(OrderState request, RejectReason reason) {
        event.noCause();
        request(request, 0, reason);
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
        ReportEvent said = event;
        said.clOrdId = clOrdId;
        said.origClOrdId = origClOrdId;
        said.leaves = isOver ? 0 : order.leaves;
        said.noFill();
        said.event = event(execType);
        said.execType = execType;
        said.ordStatus = status;
        said.reason = reason;
        ResultRun run = result(order, order.orderId, order.cumQty, order.leaves);
        if (said.event == ResultEvent.CANCELED && run.hasInHand(said.cause)) {
            run.addWord(number());
        } else {
            stateDetail(order, run);
        }
        report(order, run);
    }

    private static ResultEvent event(ExecType execType) {
        return switch (execType) {
            case NEW -> ResultEvent.ACCEPTED;
            case REPLACED -> ResultEvent.REPLACED;
            case CANCELED -> ResultEvent.CANCELED;
            case EXPIRED -> ResultEvent.EXPIRED;
            case REJECTED -> ResultEvent.REJECTED;
            case CANCEL_REJECT -> ResultEvent.CANCEL_REJECTED;
            case TRADE, MASS_CANCEL_REPORT, NULL_VAL -> throw new BrokenInvariantException(execType + " is no state");
        };
    }

    /** Reports one pairing of an incoming order with a resting one: to both brokers, then as a trade. */
    void fill(OrderState incoming, OrderState resting, long price, long quantity) {
        long tradeId = ++lastTradeId;
        ReportEvent said = event;
        said.origClOrdId = 0;
        said.lastPx = price;
        said.lastQty = quantity;
        said.tradeId = tradeId;
        said.execType = ExecType.TRADE;
        said.reason = RejectReason.NONE;
        incomingFill(incoming, said);
        restingFill(resting, said);
        trade(incoming, resting, price, quantity, tradeId);
    }

    private void incomingFill(OrderState order, ReportEvent said) {
        said.clOrdId = order.clOrdId;
        said.leaves = order.leaves;
        said.event = ResultEvent.INCOMING_FILL;
        said.ordStatus = order.liveStatus();
        ResultRun run = result(order, said.lastPx, said.tradeId, said.lastQty);
        if (run.hasInHand(said.cause)) {
            run.addWord(number());
        } else {
            fillDetail(order, run);
            run.addWord(order.orderId);
            run.takeInHand(said.cause);
        }
        report(order, run);
    }

    private void restingFill(OrderState order, ReportEvent said) {
        said.clOrdId = order.clOrdId;
        said.leaves = order.leaves;
        said.event = ResultEvent.RESTING_FILL;
        said.ordStatus = order.liveStatus();
        ResultRun run = result(order, order.orderId, said.tradeId, said.lastQty);
        fillDetail(order, run);
        report(order, run);
    }

    /**
     * Reports why an entry was refused that named no live order; its fields are given back, bytes that mean nothing as
     * absent.
     */
    void refusal(int broker, Entry entry, RejectReason reason) {
        byte action = Kind.action(entry.kind);
        boolean isRequest = action != Kind.NEW && action != Kind.ABSENT;
        OrderState order = refused;
        order.broker = broker;
        order.price = entry.price;
        order.quantity = entry.quantity;
        order.account = entry.accountId;
        order.instrumentId = entry.instrumentId;
        order.kind = entry.kind;
        ReportEvent said = event;
        said.clOrdId = entry.clOrdId;
        said.origClOrdId = entry.origClOrdId;
        said.leaves = 0;
        said.noFill();
        said.event = isRequest ? ResultEvent.CANCEL_REJECTED : ResultEvent.REJECTED;
        said.execType = isRequest ? ExecType.CANCEL_REJECT : ExecType.REJECTED;
        said.ordStatus = OrdStatus.REJECTED;
        said.reason = reason;
        ResultRun run = result(order, 0, 0, 0);
        stateDetail(order, run);
        report(order, run);
    }

    /** Writes the cell of the report in hand; returns the run, for the detail. */
    private ResultRun result(OrderState order, long orderId, long tradeOrCumQty, long quantity) {
        int broker = order.broker;
        long sequence = ++reportSequences[broker];
        lastExecId++;
        ResultRun run = run(broker);
        if (run.isEmpty()) {
            run.beginBlock(blockSequence, blockTimeNs, execIdBefore);
        }
        long head = ResultCell.head(event.cause, event.event, event.reason.value());
        run.addCell(sequence, head, orderId, tradeOrCumQty, quantity);
        return run;
    }

    private ResultRun run(int broker) {
        if (runs[broker] == null) {
            runs[broker] = new ResultRun(brokerIds[broker]);
        }
        return runs[broker];
    }

    /** Returns the number of the report in its block: a detail's first word, without a kind. */
    private long number() {
        return lastExecId - execIdBefore & LOW_HALF;
    }

    private void orderDetail(OrderState order, ResultRun run) {
        run.addWord(number() | (long) order.kind << Integer.SIZE);
        run.addWord((long) order.instrumentId << Integer.SIZE | order.account & LOW_HALF);
        run.addWord(event.clOrdId);
    }

    /** Writes the detail of a report that is no fill, as {@link ReportRun} shows. */
    private void stateDetail(OrderState order, ResultRun run) {
        ReportEvent said = event;
        orderDetail(order, run);
        if (said.event == ResultEvent.ACCEPTED) {
            run.addWord(order.price);
            run.takeInHand(said.cause);
            return;
        }
        run.addWord(said.origClOrdId);
        run.addWord(order.price);
        if (order.orderId == 0) {
            run.addWord(order.quantity);
        } else if (order.cumQty != 0) {
            run.addWord(order.cumValue);
        }
        if (said.event == ResultEvent.REPLACED) {
            run.takeInHand(said.cause);
        }
    }

    private void fillDetail(OrderState order, ResultRun run) {
        orderDetail(order, run);
        run.addWord(order.price);
        run.addWord(order.quantity);
        run.addWord(order.cumQty);
        run.addWord(order.cumValue);
    }

    private void report(OrderState order, ResultRun run) {
        int broker = order.broker;
        record.show(event, order, brokerIds[broker], reportSequences[broker], lastExecId);
        output.onReport(record);
        if (run.isFull()) {
            close(run);
        }
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
