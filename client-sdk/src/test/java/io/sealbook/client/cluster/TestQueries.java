package io.sealbook.client.cluster;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.BrokerQueriesGrpc;
import io.sealbook.protocol.v1.InstrumentPosition;
import io.sealbook.protocol.v1.OpenOrders;
import io.sealbook.protocol.v1.OpenOrdersRequest;
import io.sealbook.protocol.v1.OrderTrace;
import io.sealbook.protocol.v1.Positions;
import io.sealbook.protocol.v1.PositionsRequest;
import io.sealbook.protocol.v1.TraceOrderRequest;
import io.sealbook.protocol.v1.TraceStep;
import io.sealbook.protocol.v1.TracedEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Answers of one engine to a broker's questions: as of the block that is asked for, if it has executed that; as of its
 * last block otherwise. UNAVAILABLE until a test gives it one. In each block the account has bought one lot more.
 */
final class TestQueries extends BrokerQueriesGrpc.BrokerQueriesImplBase {
    private final TestCluster cluster;
    private long lastBlock;
    private long lie;
    private boolean isSilent;
    private Duration delay = Duration.ZERO;
    private final List<Long> asked = new ArrayList<>();

    TestQueries(TestCluster cluster) {
        this.cluster = cluster;
    }

    void reach(long block) {
        synchronized (cluster.lock) {
            lastBlock = block;
        }
    }

    /** All answers differ from those of others by this number from now on. */
    void lie(long difference) {
        synchronized (cluster.lock) {
            lie = difference;
        }
    }

    void fallSilent() {
        synchronized (cluster.lock) {
            isSilent = true;
        }
    }

    void answerAfter(Duration value) {
        synchronized (cluster.lock) {
            delay = value;
        }
    }

    /** Sends the answer, now or later; one that nobody waits for any more is lost. */
    private <T> void answer(StreamObserver<T> response, T answer) {
        Duration after;
        synchronized (cluster.lock) {
            after = delay;
        }
        ((ServerCallStreamObserver<T>) response).setOnCancelHandler(() -> {}); // Else an answer too late throws.
        Executor executor = after.isZero()
                ? Runnable::run
                : CompletableFuture.delayedExecutor(after.toNanos(), TimeUnit.NANOSECONDS);
        executor.execute(() -> {
            response.onNext(answer);
            response.onCompleted();
        });
    }

    List<Long> asked() {
        synchronized (cluster.lock) {
            return List.copyOf(asked);
        }
    }

    private Optional<Long> block(long asOfBlock, StreamObserver<?> response) {
        synchronized (cluster.lock) {
            asked.add(asOfBlock);
            if (isSilent) {
                return Optional.empty();
            }
            if (lastBlock == 0) {
                response.onError(
                        Status.UNAVAILABLE.withDescription("engine is STARTING").asRuntimeException());
                return Optional.empty();
            }
            return Optional.of(asOfBlock == 0 ? lastBlock : Math.min(asOfBlock, lastBlock));
        }
    }

    @Override
    public void traceOrder(TraceOrderRequest request, StreamObserver<OrderTrace> response) {
        block(request.getAsOfBlock(), response).ifPresent(block -> {
            answer(
                    response,
                    OrderTrace.newBuilder()
                            .setAsOfBlock(block)
                            .setComplete(true)
                            .addSteps(TraceStep.newBuilder()
                                    .setEntry(TracedEntry.newBuilder()
                                            .setBlockSequence(3)
                                            .setClOrdId(request.getClOrdId())
                                            .setAction('D')
                                            .setSide('1')
                                            .setOrdType('2')
                                            .setTimeInForce('0')
                                            .setPrice(100 + lie)
                                            .setBatchId(ByteString.copyFrom(new byte[32]))))
                            .addSteps(TraceStep.newBuilder()
                                    .setReport(ByteString.copyFrom(ReportBytes.accepted(
                                            1, 3, request.getBrokerId(), 0, 0, request.getClOrdId()))))
                            .build());
        });
    }

    @Override
    public void getOpenOrders(OpenOrdersRequest request, StreamObserver<OpenOrders> response) {
        block(request.getAsOfBlock(), response).ifPresent(block -> {
            byte[] first = ReportBytes.accepted(1, 3, request.getBrokerId(), 0, 0, 11);
            byte[] second = ReportBytes.accepted(2, 3, request.getBrokerId(), 0, 1, 12);
            answer(
                    response,
                    OpenOrders.newBuilder()
                            .setAsOfBlock(block)
                            .setReportSequence(2 + lie)
                            .setComplete(true)
                            .setReports(ByteString.copyFrom(first).concat(ByteString.copyFrom(second)))
                            .build());
        });
    }

    @Override
    public void getPositions(PositionsRequest request, StreamObserver<Positions> response) {
        block(request.getAsOfBlock(), response).ifPresent(block -> {
            answer(
                    response,
                    Positions.newBuilder()
                            .setAsOfBlock(block)
                            .setReportSequence(block)
                            .addPositions(InstrumentPosition.newBuilder()
                                    .setInstrumentId(1)
                                    .setBoughtQuantity(block + lie)
                                    .setBoughtValue(100 * block))
                            .build());
        });
    }
}
