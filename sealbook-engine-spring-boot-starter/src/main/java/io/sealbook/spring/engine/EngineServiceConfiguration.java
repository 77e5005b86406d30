package io.sealbook.spring.engine;

import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.ledger.LedgerRoom;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.MarketDataService;
import io.sealbook.engine.marketdata.TradeTape;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.reports.ExecutionReportsService;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.rpc.BrokerQueriesService;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.engine.rpc.EngineStatusService;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.protocol.v1.BrokerQueriesGrpc.BrokerQueriesImplBase;
import io.sealbook.protocol.v1.EngineStatusGrpc.EngineStatusImplBase;
import io.sealbook.protocol.v1.ExecutionReportsGrpc.ExecutionReportsImplBase;
import io.sealbook.protocol.v1.MarketDataGrpc.MarketDataImplBase;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The gRPC port of the engine. A bean of the application that implements one of the four services replaces it; limits,
 * TLS and roles of the port hold for it too.
 */
@Configuration(proxyBeanMethods = false)
class EngineServiceConfiguration {
    @Bean
    AccessRefusals sealbookAccessRefusals(ObjectProvider<MeterRegistry> registry) {
        return new AccessRefusals(EngineAutoConfiguration.orUnread(registry));
    }

    /** The port and what it serves. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "sealbook.engine.grpc.enabled", matchIfMissing = true)
    static class GrpcConfiguration {
        @Bean
        @ConditionalOnMissingBean(ExecutionReportsImplBase.class)
        ExecutionReportsService sealbookExecutionReportsService(
                ReportStores stores, EngineMonitor monitor, EngineSettings settings) {
            return new ExecutionReportsService(stores, monitor, settings.reports());
        }

        @Bean
        @ConditionalOnMissingBean(BrokerQueriesImplBase.class)
        BrokerQueriesService sealbookBrokerQueriesService(
                EngineDirectory directory, ReportStores stores, EngineMonitor monitor, AgreedMarket market) {
            return new BrokerQueriesService(directory, stores, monitor, new LedgerRoom(market::ledgerBytes));
        }

        @Bean
        @ConditionalOnMissingBean(MarketDataImplBase.class)
        MarketDataService sealbookMarketDataService(
                AgreedMarket market, EngineMonitor monitor, EngineSettings settings, DepthBoard board, TradeTape tape) {
            return new MarketDataService(market, monitor, settings.marketData(), board, tape);
        }

        @Bean
        @ConditionalOnMissingBean(EngineStatusImplBase.class)
        EngineStatusService sealbookEngineStatusService(EngineMonitor monitor) {
            return new EngineStatusService(monitor);
        }

        @Bean
        EngineGrpcServer sealbookEngineGrpcServer(
                EngineSettings settings,
                EngineTls tls,
                ExecutionReportsImplBase reports,
                BrokerQueriesImplBase queries,
                MarketDataImplBase marketData,
                EngineStatusImplBase status,
                AccessRefusals refusals) {
            return new EngineGrpcServer(settings, tls, List.of(reports, queries, marketData, status), refusals);
        }
    }
}
