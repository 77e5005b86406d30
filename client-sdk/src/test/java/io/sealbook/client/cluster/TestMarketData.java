package io.sealbook.client.cluster;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.MarketDataRequest;
import java.util.ArrayList;
import java.util.List;

/** Market data of one engine: what a test has it report, then nothing; UNAVAILABLE before that. */
final class TestMarketData extends MarketDataGrpc.MarketDataImplBase {
    private final TestCluster cluster;
    private final List<Depth> depths = new ArrayList<>();
    private final List<StreamObserver<Depth>> readers = new ArrayList<>();

    TestMarketData(TestCluster cluster) {
        this.cluster = cluster;
    }

    /** Reports a further state. */
    void report(Depth depth) {
        synchronized (cluster.lock) {
            depths.add(depth);
            readers.forEach(reader -> reader.onNext(depth));
        }
    }

    /** Has nothing to report any more; streams stay open. */
    void forget() {
        synchronized (cluster.lock) {
            depths.clear();
        }
    }

    @Override
    public void followDepth(MarketDataRequest request, StreamObserver<Depth> observer) {
        synchronized (cluster.lock) {
            if (depths.isEmpty()) {
                observer.onError(
                        Status.UNAVAILABLE.withDescription("engine is STARTING").asRuntimeException());
                return;
            }
            ((ServerCallStreamObserver<Depth>) observer).setOnCancelHandler(() -> {
                synchronized (cluster.lock) {
                    readers.remove(observer);
                }
            });
            readers.add(observer);
            depths.forEach(observer::onNext);
        }
    }

    /** Returns how many streams are open. */
    int readerCount() {
        synchronized (cluster.lock) {
            return readers.size();
        }
    }
}
