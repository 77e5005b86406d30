package io.sealbook.client;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.Objects;

/**
 * Makes an {@link ExecutionReport} of named fields, for tests of brokers' programs. What is not set is that of a limit
 * order for the day to buy which was accepted: {@link ExecType#NEW}, without a reason; all numbers are 0. One thread;
 * may be used again after {@link #build}.
 */
public final class ExecutionReportBuilder {
    private long reportSequence;
    private long blockSequence;
    private long orderId;
    private long execId;
    private long tradeId;
    private long clOrdId;
    private long origClOrdId;
    private long price;
    private long quantity;
    private long lastPx;
    private long lastQty;
    private long leavesQty;
    private long cumQty;
    private long cumValue;
    private long transactTimeNs;
    private int brokerId;
    private int accountId;
    private int instrumentId;
    private int batchIndex;
    private int orderIndex;
    private Action action = Action.NEW;
    private Side side = Side.BUY;
    private OrdType ordType = OrdType.LIMIT;
    private TimeInForce timeInForce = TimeInForce.DAY;
    private ExecType execType = ExecType.NEW;
    private OrdStatus ordStatus = OrdStatus.NEW;
    private RejectReason rejectReason = RejectReason.NONE;

    ExecutionReportBuilder() {}

    ExecutionReportBuilder(ExecutionReport report) {
        reportSequence = report.reportSequence();
        blockSequence = report.blockSequence();
        orderId = report.orderId();
        execId = report.execId();
        tradeId = report.tradeId();
        clOrdId = report.clOrdId();
        origClOrdId = report.origClOrdId();
        price = report.price();
        quantity = report.quantity();
        lastPx = report.lastPx();
        lastQty = report.lastQty();
        leavesQty = report.leavesQty();
        cumQty = report.cumQty();
        cumValue = report.cumValue();
        transactTimeNs = report.transactTimeNs();
        brokerId = report.brokerId();
        accountId = report.accountId();
        instrumentId = report.instrumentId();
        batchIndex = report.batchIndex();
        orderIndex = report.orderIndex();
        action = report.action();
        side = report.side();
        ordType = report.ordType();
        timeInForce = report.timeInForce();
        execType = report.execType();
        ordStatus = report.ordStatus();
        rejectReason = report.rejectReason();
    }

    /** See {@link ExecutionReport#reportSequence}. */
    public ExecutionReportBuilder reportSequence(long value) {
        reportSequence = value;
        return this;
    }

    /** See {@link ExecutionReport#blockSequence}. */
    public ExecutionReportBuilder blockSequence(long value) {
        blockSequence = value;
        return this;
    }

    /** See {@link ExecutionReport#orderId}. */
    public ExecutionReportBuilder orderId(long value) {
        orderId = value;
        return this;
    }

    /** See {@link ExecutionReport#execId}. */
    public ExecutionReportBuilder execId(long value) {
        execId = value;
        return this;
    }

    /** See {@link ExecutionReport#tradeId}. */
    public ExecutionReportBuilder tradeId(long value) {
        tradeId = value;
        return this;
    }

    /** See {@link ExecutionReport#clOrdId}. */
    public ExecutionReportBuilder clOrdId(long value) {
        clOrdId = value;
        return this;
    }

    /** See {@link ExecutionReport#origClOrdId}. */
    public ExecutionReportBuilder origClOrdId(long value) {
        origClOrdId = value;
        return this;
    }

    /** See {@link ExecutionReport#price}. */
    public ExecutionReportBuilder price(long value) {
        price = value;
        return this;
    }

    /** See {@link ExecutionReport#quantity}. */
    public ExecutionReportBuilder quantity(long value) {
        quantity = value;
        return this;
    }

    /** See {@link ExecutionReport#lastPx}. */
    public ExecutionReportBuilder lastPx(long value) {
        lastPx = value;
        return this;
    }

    /** See {@link ExecutionReport#lastQty}. */
    public ExecutionReportBuilder lastQty(long value) {
        lastQty = value;
        return this;
    }

    /** See {@link ExecutionReport#leavesQty}. */
    public ExecutionReportBuilder leavesQty(long value) {
        leavesQty = value;
        return this;
    }

    /** See {@link ExecutionReport#cumQty}. */
    public ExecutionReportBuilder cumQty(long value) {
        cumQty = value;
        return this;
    }

    /** See {@link ExecutionReport#cumValue}. */
    public ExecutionReportBuilder cumValue(long value) {
        cumValue = value;
        return this;
    }

    /** See {@link ExecutionReport#transactTimeNs}. */
    public ExecutionReportBuilder transactTimeNs(long value) {
        transactTimeNs = value;
        return this;
    }

    /** See {@link ExecutionReport#brokerId}. */
    public ExecutionReportBuilder brokerId(int value) {
        brokerId = value;
        return this;
    }

    /** See {@link ExecutionReport#accountId}. */
    public ExecutionReportBuilder accountId(int value) {
        accountId = value;
        return this;
    }

    /** See {@link ExecutionReport#instrumentId}. */
    public ExecutionReportBuilder instrumentId(int value) {
        instrumentId = value;
        return this;
    }

    /** See {@link ExecutionReport#batchIndex}. */
    public ExecutionReportBuilder batchIndex(int value) {
        batchIndex = value;
        return this;
    }

    /** See {@link ExecutionReport#orderIndex}. */
    public ExecutionReportBuilder orderIndex(int value) {
        orderIndex = value;
        return this;
    }

    /** See {@link ExecutionReport#action}. */
    public ExecutionReportBuilder action(Action value) {
        action = Objects.requireNonNull(value);
        return this;
    }

    /** See {@link ExecutionReport#side}. */
    public ExecutionReportBuilder side(Side value) {
        side = Objects.requireNonNull(value);
        return this;
    }

    /** See {@link ExecutionReport#ordType}. */
    public ExecutionReportBuilder ordType(OrdType value) {
        ordType = Objects.requireNonNull(value);
        return this;
    }

    /** See {@link ExecutionReport#timeInForce}. */
    public ExecutionReportBuilder timeInForce(TimeInForce value) {
        timeInForce = Objects.requireNonNull(value);
        return this;
    }

    /** See {@link ExecutionReport#execType}. */
    public ExecutionReportBuilder execType(ExecType value) {
        execType = Objects.requireNonNull(value);
        return this;
    }

    /** See {@link ExecutionReport#ordStatus}. */
    public ExecutionReportBuilder ordStatus(OrdStatus value) {
        ordStatus = Objects.requireNonNull(value);
        return this;
    }

    /** See {@link ExecutionReport#rejectReason}. */
    public ExecutionReportBuilder rejectReason(RejectReason value) {
        rejectReason = Objects.requireNonNull(value);
        return this;
    }

    /** Returns the report of the fields as they are now. */
    public ExecutionReport build() {
        return new ExecutionReport(
                reportSequence,
                blockSequence,
                orderId,
                execId,
                tradeId,
                clOrdId,
                origClOrdId,
                price,
                quantity,
                lastPx,
                lastQty,
                leavesQty,
                cumQty,
                cumValue,
                transactTimeNs,
                brokerId,
                accountId,
                instrumentId,
                batchIndex,
                orderIndex,
                action,
                side,
                ordType,
                timeInForce,
                execType,
                ordStatus,
                rejectReason);
    }
}
