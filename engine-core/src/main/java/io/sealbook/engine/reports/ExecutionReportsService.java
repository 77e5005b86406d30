package io.sealbook.engine.reports;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.protocol.v1.BlockReportsFrame;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsByBlockRequest;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.GetLastReportRequest;
import io.sealbook.protocol.v1.LastReport;
import io.sealbook.protocol.v1.ReportFrame;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * Serves the report streams. Opening one never waits; the sending is done by a small pool in turns, so no follower
 * holds another.
 */
public final class ExecutionReportsService extends ExecutionReportsGrpc.ExecutionReportsImplBase
        implements AutoCloseable {
    private static final int THREADS = 2;

    private final ReportStores stores;
    private final EngineMonitor monitor;
    private final EngineSettings.Reports settings;
    private final Set<ReportFollower<?>> followers = ConcurrentHashMap.newKeySet();
    /** A turn that comes after the end is dropped, with its stream. */
    private final ExecutorService pool = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("reports-", 0).daemon().factory(),
            new ThreadPoolExecutor.DiscardPolicy());

    /**
     * Makes the service with its own threads.
     *
     * @param stores are read; stay the caller's
     * @param monitor shows whether the engine serves
     * @param settings limits of streams
     */
    public ExecutionReportsService(ReportStores stores, EngineMonitor monitor, EngineSettings.Reports settings) {
        this.stores = stores;
        this.monitor = monitor;
        this.settings = settings;
        stores.onFlushed(brokerId -> followers.forEach(follower -> follower.onFlushed(brokerId)));
    }

    /** Returns how many streams are open. */
    public int followerCount() {
        return followers.size();
    }

    /**
     * Refuses with UNAVAILABLE while the engine starts or has failed, NOT_FOUND for an unknown broker, OUT_OF_RANGE
     * below the first report kept. From 0 means from 1. A sequence not yet reached is waited for: a faster engine may
     * have sent it to the broker already. The server limits the number of streams.
     */
    @Override
    public void follow(FollowReportsRequest request, StreamObserver<ReportFrame> response) {
        serve(
                request.getBrokerId(),
                request.getFromSequence(),
                response,
                (store, from) -> new WholeReports(store, from, settings.frameReportsMax()));
    }

    /** Refuses as {@link #follow} does. */
    @Override
    public void followByBlock(FollowReportsByBlockRequest request, StreamObserver<BlockReportsFrame> response) {
        serve(
                request.getBrokerId(),
                request.getFromSequence(),
                response,
                (store, from) ->
                        new ReportsByBlock(store, from, request.getAreDigestsEnough(), settings.frameReportsMax()));
    }

    /** Refuses as {@link #follow} does. */
    @Override
    public void getLastReport(GetLastReportRequest request, StreamObserver<LastReport> response) {
        Optional<ReportStore> store = stores.of(request.getBrokerId());
        Optional<Status> refusal =
                refusal(request.getBrokerId(), store.map(ReportStore::first).orElse(1L), store);
        if (refusal.isPresent()) {
            response.onError(refusal.get().asRuntimeException());
            return;
        }
        response.onNext(LastReport.newBuilder().setSequence(store.get().last()).build());
        response.onCompleted();
    }

    private <F> void serve(
            int brokerId,
            long fromSequence,
            StreamObserver<F> response,
            BiFunction<ReportStore, Long, ReportFeed<F>> feed) {
        long from = Math.max(1, fromSequence);
        Optional<ReportStore> store = stores.of(brokerId);
        Optional<Status> refusal = refusal(brokerId, fromSequence, store);
        if (refusal.isPresent()) {
            response.onError(refusal.get().asRuntimeException());
            return;
        }
        ServerCallStreamObserver<F> observer = (ServerCallStreamObserver<F>) response;
        ReportFollower<F> follower = new ReportFollower<>(
                brokerId, feed.apply(store.get(), from), observer, pool, settings, followers::remove);
        observer.setOnReadyHandler(follower::signal);
        observer.setOnCancelHandler(() -> followers.remove(follower));
        observer.setOnCloseHandler(() -> followers.remove(follower));
        followers.add(follower);
        follower.signal();
    }

    @Override
    public void close() {
        pool.shutdown();
    }

    private Optional<Status> refusal(int brokerId, long from, Optional<ReportStore> store) {
        EnginePhase phase = monitor.phase();
        if (phase == EnginePhase.STARTING || phase == EnginePhase.FAILED || phase == EnginePhase.STOPPED) {
            return Optional.of(Status.UNAVAILABLE.withDescription("engine is " + phase));
        }
        if (store.isEmpty()) {
            return Optional.of(Status.NOT_FOUND.withDescription(
                    "broker " + Integer.toUnsignedString(brokerId) + " is none of the chain"));
        }
        if (from < 0 || Math.max(1, from) < store.get().first()) {
            return Optional.of(Status.OUT_OF_RANGE.withDescription(
                    "reports are kept from " + store.get().first() + ", asked for " + Long.toUnsignedString(from)));
        }
        return Optional.empty();
    }
}
