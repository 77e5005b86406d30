package io.sealbook.replica;

import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.ledger.LedgerRoom;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.MarketDataService;
import io.sealbook.engine.marketdata.TradeTape;
import io.sealbook.engine.meters.EngineMeters;
import io.sealbook.engine.meters.EngineReaders;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.reports.ExecutionReportsService;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.rpc.BrokerQueriesService;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.engine.rpc.EngineStatusService;
import io.sealbook.engine.setup.EngineTls;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a replica's engine serves: reports, queries, market data and its state, at the engine's port of the genesis
 * file.
 */
final class EngineServices implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EngineServices.class);

    private final EngineContext context;
    private final AccessRefusals refusals;
    private final BrokerQueriesService queries;
    private final EngineGrpcServer server;

    /**
     * Makes the services and their meters; listens with {@link #start}.
     *
     * @param context of the engine
     * @param monitor the engine's state
     * @param reports what brokers read
     * @param board newest depth
     * @param tape newest trades
     */
    EngineServices(
            EngineContext context, EngineMonitor monitor, ReportStores reports, DepthBoard board, TradeTape tape) {
        this.context = context;
        ExecutionReportsService reportStreams =
                new ExecutionReportsService(reports, monitor, context.settings().reports());
        MarketDataService marketData = new MarketDataService(
                context.market(), monitor, context.settings().marketData(), board, tape);
        queries = new BrokerQueriesService(
                context.files(), reports, monitor, new LedgerRoom(context.market()::ledgerBytes));
        refusals = new AccessRefusals(context.registry());
        server = new EngineGrpcServer(
                context.settings(),
                EngineTls.open(context.settings().tls(), context.files(), context.market()::present, context.nodeTls()),
                List.of(reportStreams, queries, marketData, new EngineStatusService(monitor)),
                refusals);
        new EngineMeters(
                        monitor,
                        context.lastCommitted(),
                        () -> 1,
                        new EngineReaders(
                                reportStreams::followerCount, marketData::followerCount, server::connectionCount))
                .bindTo(context.registry());
    }

    void start() {
        server.start();
        log.info("engine inside: gRPC {}:{}", context.settings().grpcAddress(), server.port());
    }

    @Override
    public void close() {
        server.close();
        queries.close();
        refusals.close();
    }
}
