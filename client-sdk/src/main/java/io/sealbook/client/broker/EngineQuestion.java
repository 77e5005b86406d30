package io.sealbook.client.broker;

import io.grpc.stub.StreamObserver;
import io.sealbook.client.AccountPositions;
import io.sealbook.client.AccountPositions.InstrumentPosition;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.OpenOrders;
import io.sealbook.client.OrderTrace;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.BrokerQueriesGrpc.BrokerQueriesStub;
import io.sealbook.protocol.v1.OpenOrdersRequest;
import io.sealbook.protocol.v1.Positions;
import io.sealbook.protocol.v1.PositionsRequest;
import io.sealbook.protocol.v1.TraceOrderRequest;
import io.sealbook.protocol.v1.TraceStep;
import io.sealbook.protocol.v1.TracedEntry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A question that engines answer as of a block.
 *
 * @param subject of the answer, for people
 * @param call asks an engine as of a block; 0 is the newest
 * @param asOfBlock block of an answer
 * @param result of an answer; throws {@link IllegalArgumentException} if it is malformed
 */
record EngineQuestion<A, R>(String subject, Call<A> call, ToLongFunction<A> asOfBlock, Function<A, R> result) {
    /** How an engine is asked. */
    interface Call<A> {
        /**
         * Asks.
         *
         * @param engine to ask
         * @param asOfBlock 0 for the newest block
         * @param answer gets one message, or a failure
         */
        void ask(BrokerQueriesStub engine, long asOfBlock, StreamObserver<A> answer);
    }

    /**
     * Asks for the life of an order.
     *
     * @param brokerId whose order it is
     * @param clOrdId unsigned
     */
    static EngineQuestion<io.sealbook.protocol.v1.OrderTrace, OrderTrace> trace(int brokerId, long clOrdId) {
        return new EngineQuestion<>(
                "trace of order " + Long.toUnsignedString(clOrdId),
                (engine, block, answer) -> engine.traceOrder(
                        TraceOrderRequest.newBuilder()
                                .setBrokerId(brokerId)
                                .setClOrdId(clOrdId)
                                .setAsOfBlock(block)
                                .build(),
                        answer),
                io.sealbook.protocol.v1.OrderTrace::getAsOfBlock,
                answer -> new OrderTrace(
                        clOrdId,
                        answer.getAsOfBlock(),
                        answer.getComplete(),
                        answer.getStepsList().stream().map(EngineQuestion::step).toList()));
    }

    /**
     * Asks for orders that rest.
     *
     * @param brokerId whose orders
     * @param afterOrderId those with greater OrderIDs
     */
    static EngineQuestion<io.sealbook.protocol.v1.OpenOrders, OpenOrders> openOrders(int brokerId, long afterOrderId) {
        return new EngineQuestion<>(
                "open orders",
                (engine, block, answer) -> engine.getOpenOrders(
                        OpenOrdersRequest.newBuilder()
                                .setBrokerId(brokerId)
                                .setAfterOrderId(afterOrderId)
                                .setAsOfBlock(block)
                                .build(),
                        answer),
                io.sealbook.protocol.v1.OpenOrders::getAsOfBlock,
                answer -> new OpenOrders(
                        answer.getAsOfBlock(),
                        answer.getReportSequence(),
                        reports(answer.getReports().asReadOnlyByteBuffer()),
                        answer.getComplete()));
    }

    /**
     * Asks for positions.
     *
     * @param brokerId by whose orders the account has traded
     * @param accountId of the account
     */
    static EngineQuestion<Positions, AccountPositions> positions(int brokerId, int accountId) {
        return new EngineQuestion<>(
                "positions of account " + Integer.toUnsignedString(accountId),
                (engine, block, answer) -> engine.getPositions(
                        PositionsRequest.newBuilder()
                                .setBrokerId(brokerId)
                                .setAccountId(accountId)
                                .setAsOfBlock(block)
                                .build(),
                        answer),
                Positions::getAsOfBlock,
                answer -> new AccountPositions(
                        accountId,
                        answer.getAsOfBlock(),
                        answer.getReportSequence(),
                        answer.getPositionsList().stream()
                                .map(position -> new InstrumentPosition(
                                        position.getInstrumentId(),
                                        position.getBoughtQuantity(),
                                        position.getBoughtValue(),
                                        position.getSoldQuantity(),
                                        position.getSoldValue()))
                                .toList()));
    }

    private static OrderTrace.Step step(TraceStep step) {
        return switch (step.getStepCase()) {
            case REPORT -> {
                List<ExecutionReport> reports = reports(step.getReport().asReadOnlyByteBuffer());
                if (reports.size() != 1) {
                    throw new IllegalArgumentException(reports.size() + " reports in a step");
                }
                yield new OrderTrace.Result(reports.get(0));
            }
            case ENTRY -> entry(step.getEntry());
            case STEP_NOT_SET -> throw new IllegalArgumentException("an empty step");
        };
    }

    private static OrderTrace.SignedEntry entry(TracedEntry entry) {
        return new OrderTrace.SignedEntry(
                entry.getBlockSequence(),
                entry.getBatchIndex(),
                entry.getOrderIndex(),
                HexFormat.of().formatHex(entry.getBatchId().toByteArray()),
                entry.getBlockTimeNs(),
                Action.get((byte) entry.getAction()),
                entry.getClOrdId(),
                entry.getOrigClOrdId(),
                Side.get((byte) entry.getSide()),
                OrdType.get((byte) entry.getOrdType()),
                TimeInForce.get((byte) entry.getTimeInForce()),
                entry.getPrice(),
                entry.getQuantity(),
                entry.getAccountId(),
                entry.getInstrumentId());
    }

    private static List<ExecutionReport> reports(ByteBuffer messages) {
        ByteBuffer buffer = messages.order(ByteOrder.LITTLE_ENDIAN);
        List<ExecutionReport> reports = new ArrayList<>();
        for (int at = 0; at < buffer.limit(); at += ExecutionReportDecoder.length(buffer, at)) {
            reports.add(ExecutionReportDecoder.decode(buffer, at));
        }
        return reports;
    }
}
