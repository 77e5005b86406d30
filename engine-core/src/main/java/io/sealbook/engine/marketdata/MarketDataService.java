package io.sealbook.engine.marketdata;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.protocol.v1.BestPrice;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.MarketDataRequest;
import io.sealbook.protocol.v1.TradePrint;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/** Serves the market data streams by gRPC. */
public final class MarketDataService extends MarketDataGrpc.MarketDataImplBase implements AutoCloseable {
    private static final int LEVELS_DEFAULT = 10;

    private final AgreedMarket market;
    private final EngineMonitor monitor;
    private final EngineSettings.MarketData settings;
    private final DepthBoard board;
    private final TradeTape tape;
    private final Set<Follower<?>> followers = ConcurrentHashMap.newKeySet();
    private final ExecutorService pool = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("market-data").daemon().factory());
    private final Delivery delivery;

    /**
     * Makes the service with its own thread.
     *
     * @param market instruments that may be asked for
     * @param monitor shows whether the engine serves
     * @param settings limits of streams and depth
     * @param board newest depth
     * @param tape newest trades
     */
    public MarketDataService(
            AgreedMarket market,
            EngineMonitor monitor,
            EngineSettings.MarketData settings,
            DepthBoard board,
            TradeTape tape) {
        this.market = market;
        this.monitor = monitor;
        this.settings = settings;
        this.board = board;
        this.tape = tape;
        delivery = new Delivery(pool, settings.stallMs(), followers::remove);
        board.onAnnounced(this::signal);
        tape.onAnnounced(this::signal);
    }

    /** Returns how many streams are open. */
    public int followerCount() {
        return followers.size();
    }

    @Override
    public void followBestPrices(MarketDataRequest request, StreamObserver<BestPrice> response) {
        if (isAdmitted(request, response)) {
            ServerCallStreamObserver<BestPrice> observer = (ServerCallStreamObserver<BestPrice>) response;
            follow(
                    observer,
                    new DepthFollower<>(
                            board, instrumentIds(request), MarketDataMessages::bestPrice, observer, delivery));
        }
    }

    @Override
    public void followDepth(MarketDataRequest request, StreamObserver<Depth> response) {
        if (isAdmitted(request, response)) {
            int levels =
                    request.getLevels() == 0 ? Math.min(LEVELS_DEFAULT, settings.levelsMax()) : request.getLevels();
            ServerCallStreamObserver<Depth> observer = (ServerCallStreamObserver<Depth>) response;
            follow(
                    observer,
                    new DepthFollower<>(
                            board,
                            instrumentIds(request),
                            view -> MarketDataMessages.depth(view, levels),
                            observer,
                            delivery));
        }
    }

    @Override
    public void followTrades(MarketDataRequest request, StreamObserver<TradePrint> response) {
        if (isAdmitted(request, response)) {
            ServerCallStreamObserver<TradePrint> observer = (ServerCallStreamObserver<TradePrint>) response;
            follow(observer, new TradeFollower(tape, chosen(request), observer, delivery));
        }
    }

    @Override
    public void close() {
        pool.shutdown();
    }

    private void signal() {
        followers.forEach(Follower::signal);
    }

    private <T> void follow(ServerCallStreamObserver<T> observer, Follower<T> follower) {
        observer.setOnReadyHandler(follower::onRoom);
        observer.setOnCancelHandler(() -> followers.remove(follower));
        observer.setOnCloseHandler(() -> followers.remove(follower));
        followers.add(follower);
        follower.signal();
    }

    private Supplier<List<Integer>> instrumentIds(MarketDataRequest request) {
        return request.getInstrumentIdsCount() == 0 ? market::instrumentIds : request::getInstrumentIdsList;
    }

    private static IntPredicate chosen(MarketDataRequest request) {
        Set<Integer> ids = Set.copyOf(request.getInstrumentIdsList());
        return ids.isEmpty() ? id -> true : ids::contains;
    }

    private boolean isAdmitted(MarketDataRequest request, StreamObserver<?> response) {
        Optional<Status> refusal = refusal(request);
        refusal.ifPresent(status -> response.onError(status.asRuntimeException()));
        return refusal.isEmpty();
    }

    private Optional<Status> refusal(MarketDataRequest request) {
        EnginePhase phase = monitor.phase();
        if (phase != EnginePhase.TAILING) {
            return Optional.of(Status.UNAVAILABLE.withDescription("engine is " + phase));
        }
        Optional<String> wrongResult = monitor.wrongResult();
        if (wrongResult.isPresent()) {
            return wrongResult.map(fact -> Status.UNAVAILABLE.withDescription("engine is wrong: " + fact));
        }
        for (int instrumentId : request.getInstrumentIdsList()) {
            if (!market.hasInstrument(instrumentId)) {
                return Optional.of(Status.NOT_FOUND.withDescription(
                        "instrument " + Integer.toUnsignedString(instrumentId) + " does not exist"));
            }
        }
        if (request.getInstrumentIdsList().stream().distinct().count() != request.getInstrumentIdsCount()) {
            return Optional.of(Status.INVALID_ARGUMENT.withDescription("an instrument occurs twice"));
        }
        if (request.getLevels() < 0 || request.getLevels() > settings.levelsMax()) {
            return Optional.of(Status.INVALID_ARGUMENT.withDescription(
                    "levels " + Integer.toUnsignedString(request.getLevels()) + ", at most " + settings.levelsMax()));
        }
        return Optional.empty();
    }
}
