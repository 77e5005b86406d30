package io.sealbook.engine;

import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.engine.config.DirectoryLock;
import io.sealbook.engine.config.EngineDirectory;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.config.Market;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.journal.JournalHandler;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.matching.MatchingLoop;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.output.OutputRing;
import io.sealbook.engine.reports.ExecutionReportsService;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.engine.rpc.EngineStatusService;
import io.sealbook.engine.snapshot.SnapshotStore;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;

/** The wiring of one engine: who hands what to whom. */
@Configuration(proxyBeanMethods = false)
class EngineConfiguration {
    @Bean
    EngineDirectory engineDirectory(EngineProperties properties) {
        return new EngineDirectory(properties.directory());
    }

    @Bean
    DirectoryLock directoryLock(EngineDirectory directory) {
        return DirectoryLock.acquire(directory);
    }

    @Bean
    Market market(EngineDirectory directory) {
        return Market.read(directory.genesis());
    }

    @Bean
    EngineMonitor engineMonitor() {
        return new EngineMonitor();
    }

    @Bean
    @DependsOn("directoryLock")
    SnapshotStore snapshotStore(EngineDirectory directory, Market market) {
        return new SnapshotStore(directory.snapshots(), market.genesisDigest());
    }

    @Bean
    @DependsOn("directoryLock")
    ReportStores reportStores(EngineDirectory directory, EngineProperties properties, Market market) {
        return new ReportStores(
                directory.reports(), market.brokerIds(), properties.reports().perSegment());
    }

    @Bean
    @DependsOn("directoryLock")
    ExecutionJournal executionJournal(EngineDirectory directory, EngineProperties properties) {
        return ExecutionJournal.open(directory.journal(), properties.journal().segmentBytes());
    }

    @Bean
    DepthBoard depthBoard(Market market) {
        return new DepthBoard(market.instrumentIds());
    }

    @Bean(destroyMethod = "")
    OutputRing outputRing(
            EngineProperties properties, ExecutionJournal journal, ReportStores reports, EngineMonitor monitor) {
        return new OutputRing(
                properties.ringFrames(),
                properties.frameBytes(),
                List.of(new JournalHandler(journal, reports)),
                monitor::fail);
    }

    @Bean
    MatchingLoop matchingLoop(
            EngineDirectory directory,
            EngineProperties properties,
            Market market,
            EngineMonitor monitor,
            ReportStores reports,
            ExecutionJournal journal,
            SnapshotStore snapshots,
            DepthBoard board,
            OutputRing ring,
            MeterRegistry registry) {
        return new MatchingLoop(
                directory, properties, market, monitor, reports, journal, snapshots, board, ring, registry);
    }

    @Bean
    ExecutionReportsService executionReportsService(
            ReportStores stores, EngineMonitor monitor, EngineProperties properties) {
        return new ExecutionReportsService(stores, monitor, properties.reports());
    }

    @Bean
    EngineStatusService engineStatusService(EngineMonitor monitor) {
        return new EngineStatusService(monitor);
    }

    @Bean
    EngineGrpcServer engineGrpcServer(EngineProperties properties, List<BindableService> services) {
        return new EngineGrpcServer(properties.grpcAddress(), properties.grpcPort(), services);
    }
}
