package io.sealbook.spring.engine;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.engine.intake.QueueEnd;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.MarketDataService;
import io.sealbook.engine.marketdata.TradeTape;
import io.sealbook.engine.matching.EngineOutputs;
import io.sealbook.engine.matching.EngineStores;
import io.sealbook.engine.matching.MatchingLoop;
import io.sealbook.engine.meters.EngineMeters;
import io.sealbook.engine.meters.EngineReaders;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.output.BlockOutput;
import io.sealbook.engine.output.OutputConsumer;
import io.sealbook.engine.output.OutputConsumers;
import io.sealbook.engine.rebuild.EngineRebuild;
import io.sealbook.engine.reports.ExecutionReportsService;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.retention.Retention;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.DirectoryLock;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.engine.snapshot.SnapshotStore;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Makes and runs the engine of one node: it executes the blocks of the node's directory and publishes a result for
 * each. What executes is fixed, because the results of all engines must be equal. What is made of the outputs is the
 * application's: see {@link EngineOutputConfiguration} and {@link EngineServiceConfiguration}.
 */
@AutoConfiguration(
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnProperty(name = "sealbook.engine.enabled", matchIfMissing = true)
@EnableConfigurationProperties(EmbeddedEngineProperties.class)
@Import({EngineOutputConfiguration.class, EngineServiceConfiguration.class})
public final class EngineAutoConfiguration {
    private static final String DATABASE = EngineSettings.PREFIX + "database.enabled";

    @Bean
    EngineDirectory sealbookEngineDirectory(EmbeddedEngineProperties properties) {
        return new EngineDirectory(properties.directory());
    }

    /** Without a database unless one is named: a journal that nothing follows is never deleted. */
    @Bean
    EngineSettings sealbookEngineSettings(ConfigurableEnvironment environment) {
        EngineKeysCheck.run(environment);
        return EngineSettings.of(key -> environment.getProperty(key, key.equals(DATABASE) ? "false" : null));
    }

    @Bean
    DirectoryLock sealbookDirectoryLock(EngineDirectory directory) {
        return DirectoryLock.acquire(directory);
    }

    @Bean
    AgreedMarket sealbookMarket(EngineDirectory directory) {
        return AgreedMarket.read(directory.genesis())
                .requireHeap(Runtime.getRuntime().maxMemory());
    }

    @Bean
    EngineMonitor sealbookEngineMonitor(ObjectProvider<MeterRegistry> registry) {
        return new EngineMonitor(orUnread(registry));
    }

    // Each part that writes into the directory takes it from the lock: no file changes before the lock is held.

    @Bean
    SnapshotStore sealbookSnapshotStore(DirectoryLock lock, EngineSettings settings, AgreedMarket market) {
        return new SnapshotStore(lock.directory().snapshots(), market.genesisDigest(), settings.durability());
    }

    @Bean
    ReportStores sealbookReportStores(DirectoryLock lock, EngineSettings settings, AgreedMarket market) {
        return new ReportStores(
                lock.directory().reports(),
                market.brokerIds(),
                settings.reports().perSegment(),
                settings.durability());
    }

    @Bean
    ExecutionJournal sealbookExecutionJournal(DirectoryLock lock, EngineSettings settings) {
        EngineDirectory directory = lock.directory();
        // Only the database reads it.
        return settings.isDatabaseFed()
                ? ExecutionJournal.open(directory.journal(), settings.journal().segmentBytes(), settings.durability())
                : ExecutionJournal.none(directory.journal());
    }

    @Bean
    QueueEnd sealbookQueueEnd(EngineDirectory directory) {
        return new QueueEnd(directory.blocks());
    }

    @Bean
    Retention sealbookRetention(
            DirectoryLock lock,
            EngineSettings settings,
            AgreedMarket market,
            ReportStores reports,
            ExecutionJournal journal,
            ObjectProvider<MeterRegistry> registry) {
        int logWindow = market.genesis().getParameters().getLogWindow();
        return new Retention(lock.directory(), settings, logWindow, reports, journal, orUnread(registry));
    }

    @Bean
    EngineRebuild sealbookEngineRebuild(DirectoryLock lock, EngineSettings settings) {
        return new EngineRebuild(lock.directory(), settings.isDatabaseFed());
    }

    /** Its files are beans, each of which is closed by itself. */
    @Bean(destroyMethod = "")
    EngineStores sealbookEngineStores(
            SnapshotStore snapshots,
            ReportStores reports,
            ExecutionJournal journal,
            Retention retention,
            EngineRebuild rebuild) {
        return new EngineStores(snapshots, reports, journal, retention, rebuild);
    }

    @Bean
    MatchingLoop sealbookMatchingLoop(
            DirectoryLock lock,
            AgreedMarket market,
            EngineSettings settings,
            EngineStores stores,
            BlockOutput output,
            DepthBoard board,
            TradeTape tape,
            ObjectProvider<OutputConsumer> consumers,
            EngineMonitor monitor) {
        OutputConsumers all = new OutputConsumers(consumers.orderedStream().toList());
        return new MatchingLoop(
                lock.directory(), market, settings, stores, new EngineOutputs(output, board, tape, all), monitor);
    }

    /** Of the gRPC port and, in an application that has more ports, of those. */
    @Bean
    EngineTls sealbookEngineTls(EngineSettings settings, EngineDirectory directory, AgreedMarket market) {
        return EngineTls.open(settings.tls(), directory, market::present);
    }

    @Bean
    EngineLifecycle sealbookEngineLifecycle(
            EmbeddedEngineProperties properties,
            EngineSettings settings,
            EngineMonitor monitor,
            MatchingLoop loop,
            ObjectProvider<EngineGrpcServer> grpcServer,
            ObjectProvider<EngineRestart> restart,
            ApplicationEventPublisher events) {
        return new EngineLifecycle(
                new EngineEnd(properties.exitOnFailure(), events, Optional.ofNullable(restart.getIfAvailable())),
                settings,
                monitor,
                loop,
                Optional.ofNullable(grpcServer.getIfAvailable()));
    }

    /** An application with more readers replaces it. */
    @Bean
    @ConditionalOnMissingBean
    EngineReaders sealbookEngineReaders(
            ObjectProvider<ExecutionReportsService> reports,
            ObjectProvider<MarketDataService> marketData,
            ObjectProvider<EngineGrpcServer> grpcServer) {
        Optional<ExecutionReportsService> reportStreams = Optional.ofNullable(reports.getIfAvailable());
        Optional<MarketDataService> marketDataStreams = Optional.ofNullable(marketData.getIfAvailable());
        Optional<EngineGrpcServer> connections = Optional.ofNullable(grpcServer.getIfAvailable());
        return new EngineReaders(
                () -> reportStreams.map(ExecutionReportsService::followerCount).orElse(0),
                () -> marketDataStreams.map(MarketDataService::followerCount).orElse(0),
                () -> connections.map(EngineGrpcServer::connectionCount).orElse(0));
    }

    @Bean
    EngineMeters sealbookEngineMeters(
            EngineMonitor monitor, QueueEnd queueEnd, BlockOutput output, EngineReaders readers) {
        return new EngineMeters(monitor, queueEnd::lastSequence, output::freeRatio, readers);
    }

    /** Returns the application's registry; without one, a registry that nothing reads. */
    static MeterRegistry orUnread(ObjectProvider<MeterRegistry> registry) {
        return registry.getIfAvailable(SimpleMeterRegistry::new);
    }

    /** With Spring Boot's health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class HealthConfiguration {
        /** Its name in an answer is {@code engine}. */
        @Bean
        @ConditionalOnEnabledHealthIndicator("engine")
        @ConditionalOnMissingBean(name = "engineHealthIndicator")
        HealthIndicator engineHealthIndicator(EngineMonitor monitor) {
            return new EngineHealthIndicator(monitor);
        }
    }
}
