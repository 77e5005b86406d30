package io.sealbook.engine;

import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.console.MarketDataSessions;
import io.sealbook.engine.intake.QueueEnd;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.journal.JournalHandler;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.MarketDataService;
import io.sealbook.engine.marketdata.TradeTape;
import io.sealbook.engine.matching.EngineOutputs;
import io.sealbook.engine.matching.EngineStores;
import io.sealbook.engine.matching.MatchingLoop;
import io.sealbook.engine.meters.EngineMeters;
import io.sealbook.engine.meters.EngineReaders;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.output.OutputRing;
import io.sealbook.engine.persistence.BooksOfRecord;
import io.sealbook.engine.persistence.DatabaseFollower;
import io.sealbook.engine.query.RecentOrders;
import io.sealbook.engine.reports.ExecutionReportsService;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.retention.Retention;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.engine.rpc.EngineStatusService;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.DirectoryLock;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.engine.snapshot.SnapshotStore;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** The wiring of one engine: the parts, and the parts that each is given. */
@Configuration(proxyBeanMethods = false)
class EngineConfiguration {
    @Bean
    EngineDirectory engineDirectory(EngineProperties properties) {
        return new EngineDirectory(properties.directory());
    }

    @Bean
    EngineSettings engineSettings(Environment environment) {
        return EngineSettings.of(environment::getProperty);
    }

    @Bean
    DirectoryLock directoryLock(EngineDirectory directory) {
        return DirectoryLock.acquire(directory);
    }

    @Bean
    AgreedMarket market(EngineDirectory directory) {
        return AgreedMarket.read(directory.genesis())
                .requireHeap(Runtime.getRuntime().maxMemory());
    }

    @Bean
    EngineMonitor engineMonitor(MeterRegistry registry) {
        return new EngineMonitor(registry);
    }

    // Each part that writes into the directory takes it from the lock: no file changes before the lock is held.

    @Bean
    SnapshotStore snapshotStore(DirectoryLock lock, EngineSettings settings, AgreedMarket market) {
        return new SnapshotStore(lock.directory().snapshots(), market.genesisDigest(), settings.durability());
    }

    @Bean
    ReportStores reportStores(DirectoryLock lock, EngineSettings settings, AgreedMarket market) {
        return new ReportStores(
                lock.directory().reports(),
                market.brokerIds(),
                settings.reports().perSegment());
    }

    @Bean
    ExecutionJournal executionJournal(DirectoryLock lock, EngineSettings settings) {
        EngineDirectory directory = lock.directory();
        // Only the database reads it.
        return settings.isDatabaseFed()
                ? ExecutionJournal.open(directory.journal(), settings.journal().segmentBytes(), settings.durability())
                : ExecutionJournal.none(directory.journal());
    }

    @Bean
    DepthBoard depthBoard(AgreedMarket market) {
        return new DepthBoard(market.instrumentIds());
    }

    @Bean(destroyMethod = "")
    OutputRing outputRing(
            EngineSettings settings,
            ExecutionJournal journal,
            ReportStores reports,
            TradeTape tape,
            EngineMonitor monitor) {
        return new OutputRing(
                settings.ringFrames(),
                settings.frameBytes(),
                journal.isKept(),
                List.of(new JournalHandler(journal, reports, tape, settings.durability())),
                monitor::fail);
    }

    @Bean
    TradeTape tradeTape(EngineSettings settings) {
        return new TradeTape(settings.marketData().tapeTrades());
    }

    @Bean
    RecentOrders recentOrders(ReportStores reports, EngineProperties properties) {
        return new RecentOrders(reports, properties.recentReports());
    }

    @Bean
    QueueEnd queueEnd(EngineDirectory directory) {
        return new QueueEnd(directory.blocks());
    }

    @Bean
    MarketDataService marketDataService(
            AgreedMarket market, EngineMonitor monitor, EngineSettings settings, DepthBoard board, TradeTape tape) {
        return new MarketDataService(market, monitor, settings.marketData(), board, tape);
    }

    @Bean
    MarketDataSessions marketDataSessions(
            AgreedMarket market,
            EngineSettings settings,
            EngineProperties properties,
            DepthBoard board,
            TradeTape tape,
            JsonMapper mapper) {
        return new MarketDataSessions(market, settings.marketData(), properties.http(), board, tape, mapper);
    }

    @Bean
    BooksOfRecord booksOfRecord(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
        return new BooksOfRecord(jdbc, new TransactionTemplate(transactions));
    }

    @Bean(destroyMethod = "")
    DatabaseFollower databaseFollower(
            ObjectProvider<BooksOfRecord> books,
            ExecutionJournal journal,
            EngineMonitor monitor,
            EngineProperties properties,
            AgreedMarket market) {
        return new DatabaseFollower(
                books::getObject,
                journal,
                monitor,
                properties.database(),
                market.genesis().getChainId());
    }

    @Bean
    Retention retention(
            DirectoryLock lock,
            EngineSettings settings,
            AgreedMarket market,
            ReportStores reports,
            ExecutionJournal journal,
            MeterRegistry registry) {
        int logWindow = market.genesis().getParameters().getLogWindow();
        return new Retention(lock.directory(), settings, logWindow, reports, journal, registry);
    }

    @Bean
    EngineStores engineStores(
            SnapshotStore snapshots, ReportStores reports, ExecutionJournal journal, Retention retention) {
        return new EngineStores(snapshots, reports, journal, retention);
    }

    @Bean
    EngineOutputs engineOutputs(OutputRing ring, DepthBoard board) {
        return new EngineOutputs(ring, board);
    }

    @Bean
    MatchingLoop matchingLoop(
            DirectoryLock lock,
            AgreedMarket market,
            EngineSettings settings,
            EngineStores stores,
            EngineOutputs outputs,
            EngineMonitor monitor) {
        return new MatchingLoop(lock.directory(), market, settings, stores, outputs, monitor);
    }

    @Bean
    ExecutionReportsService executionReportsService(
            ReportStores stores, EngineMonitor monitor, EngineSettings settings) {
        return new ExecutionReportsService(stores, monitor, settings.reports());
    }

    @Bean
    EngineStatusService engineStatusService(EngineMonitor monitor) {
        return new EngineStatusService(monitor);
    }

    @Bean
    EngineTls engineTls(EngineSettings settings, EngineDirectory directory, AgreedMarket market) {
        return EngineTls.open(settings.tls(), directory, market::present);
    }

    @Bean
    EngineGrpcServer engineGrpcServer(
            EngineSettings settings, EngineTls tls, List<BindableService> services, AccessRefusals refusals) {
        return new EngineGrpcServer(settings, tls, services, refusals);
    }

    @Bean
    EngineMeters engineMeters(
            EngineMonitor monitor,
            QueueEnd queueEnd,
            OutputRing ring,
            ExecutionReportsService reports,
            MarketDataService marketData,
            MarketDataSessions sessions,
            EngineGrpcServer grpcServer) {
        return new EngineMeters(
                monitor,
                queueEnd::lastSequence,
                ring::freeRatio,
                new EngineReaders(
                        reports::followerCount,
                        () -> marketData.followerCount() + sessions.count(),
                        grpcServer::connectionCount));
    }
}
