package io.sealbook.spring.engine;

import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.journal.JournalHandler;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.TradeTape;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.output.BlockOutput;
import io.sealbook.engine.output.OutputConsumer;
import io.sealbook.engine.output.OutputConsumers;
import io.sealbook.engine.output.OutputRing;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineSettings;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The outputs of the matching thread. Each {@link OutputConsumer} bean of the application takes every output; a
 * {@link BlockOutput} bean replaces the ring, which hands outputs to another thread.
 */
@Configuration(proxyBeanMethods = false)
class EngineOutputConfiguration {
    @Bean
    DepthBoard sealbookDepthBoard(AgreedMarket market) {
        return new DepthBoard(market.instrumentIds());
    }

    @Bean
    TradeTape sealbookTradeTape(EngineSettings settings) {
        return new TradeTape(settings.marketData().tapeTrades());
    }

    /** The tape is one of the consumers. */
    @Bean
    JournalHandler sealbookJournalHandler(
            ExecutionJournal journal,
            ReportStores reports,
            ObjectProvider<OutputConsumer> consumers,
            EngineSettings settings) {
        return new JournalHandler(journal, reports, new OutputConsumers(ordered(consumers)), settings.durability());
    }

    /** The matching loop closes it. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean(BlockOutput.class)
    OutputRing sealbookOutputRing(
            EngineSettings settings,
            ExecutionJournal journal,
            JournalHandler handler,
            ObjectProvider<OutputConsumer> consumers,
            EngineMonitor monitor) {
        return new OutputRing(
                settings.ringFrames(),
                settings.frameBytes(),
                journal.isKept() || ordered(consumers).stream().anyMatch(OutputConsumer::readsReports),
                List.of(handler),
                monitor::fail);
    }

    private static List<OutputConsumer> ordered(ObjectProvider<OutputConsumer> consumers) {
        return consumers.orderedStream().toList();
    }
}
