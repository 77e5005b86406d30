package io.sealbook.engine;

import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.console.MarketDataSessions;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.MarketDataService;
import io.sealbook.engine.marketdata.TradeTape;
import io.sealbook.engine.meters.EngineReaders;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.persistence.BooksOfRecord;
import io.sealbook.engine.persistence.DatabaseFollower;
import io.sealbook.engine.persistence.DatabaseMarks;
import io.sealbook.engine.persistence.MigratedBooks;
import io.sealbook.engine.persistence.RepeatedMigrations;
import io.sealbook.engine.persistence.UnlimitedMigrations;
import io.sealbook.engine.query.RecentOrders;
import io.sealbook.engine.reports.ExecutionReportsService;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import org.flywaydb.core.Flyway;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** Database, queries and console around the engine, which its starter configures. */
@Configuration(proxyBeanMethods = false)
class EngineConfiguration {
    @Bean
    RecentOrders recentOrders(ReportStores reports, EngineProperties properties) {
        return new RecentOrders(reports, properties.recentReports());
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

    @Bean
    UnlimitedMigrations unlimitedMigrations() {
        return new UnlimitedMigrations();
    }

    @Bean
    RepeatedMigrations repeatedMigrations() {
        return new RepeatedMigrations();
    }

    /** None while beans are created: {@link MigratedBooks} migrates. */
    @Bean
    FlywayMigrationStrategy noMigrationOfBeans() {
        return flyway -> {};
    }

    @Bean
    MigratedBooks migratedBooks(ObjectProvider<Flyway> migrations, ObjectProvider<BooksOfRecord> books) {
        return new MigratedBooks(migrations, books);
    }

    @Bean(destroyMethod = "")
    DatabaseFollower databaseFollower(
            MigratedBooks books,
            ExecutionJournal journal,
            ReportStores reports,
            EngineMonitor monitor,
            EngineProperties properties,
            AgreedMarket market,
            EngineDirectory directory) {
        return new DatabaseFollower(
                books::open,
                journal,
                reports,
                monitor,
                properties.database(),
                market.genesis().getChainId(),
                new DatabaseMarks(directory.staleDatabase(), directory.databaseMark()));
    }

    @Bean
    EngineReaders engineReaders(
            ExecutionReportsService reports,
            MarketDataService marketData,
            MarketDataSessions sessions,
            EngineGrpcServer grpcServer) {
        return new EngineReaders(
                reports::followerCount,
                () -> marketData.followerCount() + sessions.count(),
                grpcServer::connectionCount);
    }
}
