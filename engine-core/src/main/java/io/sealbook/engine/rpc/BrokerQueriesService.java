package io.sealbook.engine.rpc;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.sealbook.engine.ledger.BrokerLedger;
import io.sealbook.engine.ledger.LedgerRoom;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.protocol.report.Position;
import io.sealbook.protocol.v1.BrokerQueriesGrpc;
import io.sealbook.protocol.v1.InstrumentPosition;
import io.sealbook.protocol.v1.OpenOrders;
import io.sealbook.protocol.v1.OpenOrdersRequest;
import io.sealbook.protocol.v1.OrderTrace;
import io.sealbook.protocol.v1.Positions;
import io.sealbook.protocol.v1.PositionsRequest;
import io.sealbook.protocol.v1.TraceOrderRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Answers brokers' questions from their reports and the blocks: the same in both shapes, with and without a database.
 * What is asked is what an engine has to remember of a broker: its ledger is made at its first question and kept, as
 * long as there is room.
 */
public final class BrokerQueriesService extends BrokerQueriesGrpc.BrokerQueriesImplBase implements AutoCloseable {
    /** Open orders of one answer: 1.5 MB. */
    static final int OPEN_ORDERS_MAX = 10_000;

    private final ReportStores stores;
    private final EngineMonitor monitor;
    private final BrokerQuestions questions = new BrokerQuestions();

    // Of the thread of questions.
    private final TraceAnswers traces;
    private final Map<Integer, BrokerLedger> ledgers = new HashMap<>();
    private final LedgerRoom room;

    /**
     * Makes the service with its own thread.
     *
     * @param directory whose archive and report files are read
     * @param stores are read; stay the caller's
     * @param monitor shows whether the engine serves
     * @param room for ledgers
     */
    public BrokerQueriesService(
            EngineDirectory directory, ReportStores stores, EngineMonitor monitor, LedgerRoom room) {
        this.stores = stores;
        this.monitor = monitor;
        this.traces = new TraceAnswers(directory);
        this.room = room;
    }

    @Override
    public void traceOrder(TraceOrderRequest request, StreamObserver<OrderTrace> response) {
        ask(
                request.getBrokerId(),
                request.getAsOfBlock(),
                response,
                (store, block) -> traces.of(store, request.getClOrdId(), block));
    }

    @Override
    public void getOpenOrders(OpenOrdersRequest request, StreamObserver<OpenOrders> response) {
        ask(request.getBrokerId(), request.getAsOfBlock(), response, (store, block) -> {
            BrokerLedger ledger = ledger(store);
            OpenOrders.Builder orders = OpenOrders.newBuilder()
                    .setAsOfBlock(ledger.advance(block))
                    .setReportSequence(ledger.reportSequence())
                    .setComplete(true);
            ByteString.Output reports = ByteString.newOutput();
            int count = 0;
            for (byte[] report : ledger.openOrders()
                    .tailMap(request.getAfterOrderId(), false)
                    .values()) {
                if (count++ == OPEN_ORDERS_MAX) {
                    orders.setComplete(false);
                    break;
                }
                reports.write(report, 0, report.length);
            }
            return orders.setReports(reports.toByteString()).build();
        });
    }

    @Override
    public void getPositions(PositionsRequest request, StreamObserver<Positions> response) {
        ask(request.getBrokerId(), request.getAsOfBlock(), response, (store, block) -> {
            BrokerLedger ledger = ledger(store);
            Positions.Builder positions = Positions.newBuilder().setAsOfBlock(ledger.advance(block));
            ledger.positions(request.getAccountId())
                    .forEach((instrument, position) -> positions.addPositions(message(instrument, position)));
            return positions.setReportSequence(ledger.reportSequence()).build();
        });
    }

    private static InstrumentPosition message(int instrument, Position position) {
        return InstrumentPosition.newBuilder()
                .setInstrumentId(instrument)
                .setBoughtQuantity(position.boughtQuantity())
                .setBoughtValue(position.boughtValue())
                .setSoldQuantity(position.soldQuantity())
                .setSoldValue(position.soldValue())
                .build();
    }

    /** What is answered of a broker as of a block. */
    private interface Question<A> {
        A answer(ReportStore store, long block);
    }

    private <A> void ask(int brokerId, long asOfBlock, StreamObserver<A> response, Question<A> question) {
        EnginePhase phase = monitor.phase();
        if (phase == EnginePhase.STARTING || phase == EnginePhase.FAILED || phase == EnginePhase.STOPPED) {
            refuse(response, Status.UNAVAILABLE, "engine is " + phase);
            return;
        }
        Optional<ReportStore> store = stores.of(brokerId);
        if (store.isEmpty()) {
            refuse(
                    response,
                    Status.NOT_FOUND,
                    "broker " + Integer.toUnsignedString(brokerId) + " is none of the chain");
            return;
        }
        questions.answer(brokerId, response, () -> question.answer(store.get(), block(asOfBlock)));
    }

    /** Returns the block as of which a question is answered. */
    private long block(long asOfBlock) {
        long executed = stores.lastBlock();
        return asOfBlock == 0 || Long.compareUnsigned(asOfBlock, executed) > 0 ? executed : asOfBlock;
    }

    private static void refuse(StreamObserver<?> response, Status status, String fact) {
        response.onError(status.withDescription(fact).asRuntimeException());
    }

    private BrokerLedger ledger(ReportStore store) {
        return ledgers.computeIfAbsent(store.brokerId(), id -> new BrokerLedger(store, room));
    }

    @Override
    public void close() {
        questions.close();
    }
}
