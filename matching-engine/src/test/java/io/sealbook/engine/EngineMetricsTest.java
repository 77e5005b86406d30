package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.matching.MatchingLoop;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.GenesisFile;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** A metric is tested by its values: a situation is made, and the metric has to show it. */
@Timeout(300)
class EngineMetricsTest {
    private static final String LAG = "sealbook.engine.lag.blocks";
    private static final String DATABASE_LAG = "sealbook.engine.database.lag.blocks";

    @TempDir
    Path directory;

    @Test
    void shouldCountTheBlocksThatWaitForExecution() throws Exception {
        TestNode node = node();
        try (ConfigurableApplicationContext context = start("sealbook.engine.database.enabled=false")) {
            node.commitFlow(new TestFlow(1), 3, 1, 5);
            EngineMonitor monitor = context.getBean(EngineMonitor.class);
            Facts.await("blocks executed", () -> monitor.lastExecuted() == 3);
            assertThat(gauge(context, "sealbook.engine.last.executed.block")).isEqualTo(3);
            assertThat(gauge(context, LAG)).isZero();

            context.getBean(MatchingLoop.class).stop();
            node.commitFlow(new TestFlow(2), 4, 1, 5);

            assertThat(gauge(context, LAG)).isEqualTo(4);
        }
    }

    @Test
    void shouldTimeBlocksAndThePauseForASnapshot() throws Exception {
        TestNode node = node();
        try (ConfigurableApplicationContext context = start(
                "sealbook.engine.database.enabled=false",
                "sealbook.engine.snapshots.every-blocks=5",
                "sealbook.engine.snapshots.spread=0")) {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            Timer pause = registry.get("sealbook.engine.snapshot.pause").timer();
            assertThat(pause.count()).isZero();
            node.commitFlow(new TestFlow(1), 7, 1, 5);
            EngineMonitor monitor = context.getBean(EngineMonitor.class);
            Facts.await(
                    "blocks executed and a snapshot", () -> monitor.lastExecuted() == 7 && monitor.lastSnapshot() == 5);

            assertThat(pause.count()).isEqualTo(1);
            assertThat(pause.totalTime(TimeUnit.NANOSECONDS)).isPositive();
            assertThat(gauge(context, "sealbook.engine.snapshot.block")).isEqualTo(5);
            assertThat(gauge(context, "sealbook.engine.snapshot.age")).isNotNegative();
            Timer execution = registry.get("sealbook.engine.block.execution").timer();
            Facts.await("the execution times of all blocks", () -> execution.count() == 7);
        }
    }

    @Test
    void shouldHaveNoDatabaseLagWithoutADatabase() throws Exception {
        TestNode node = node();
        try (ConfigurableApplicationContext context = start("sealbook.engine.database.enabled=false")) {
            node.commitFlow(new TestFlow(1), 3, 1, 5);
            EngineMonitor monitor = context.getBean(EngineMonitor.class);
            Facts.await("blocks executed", () -> monitor.lastExecuted() == 3);

            assertThat(context.getBean(MeterRegistry.class).find(DATABASE_LAG).gauges())
                    .isEmpty();
        }
    }

    @Test
    void shouldCountTheBlocksThatTheDatabaseLacks() throws Exception {
        TestNode node = node();
        String absent = "spring.datasource.url=jdbc:h2:tcp://127.0.0.1:1/absent";
        try (ConfigurableApplicationContext context = start(absent)) {
            node.commitFlow(new TestFlow(1), 6, 1, 5);
            EngineMonitor monitor = context.getBean(EngineMonitor.class);
            Facts.await("blocks executed", () -> monitor.lastExecuted() == 6);
            assertThat(gauge(context, DATABASE_LAG)).isEqualTo(6);
        }

        try (ConfigurableApplicationContext context = start()) {
            EngineMonitor monitor = context.getBean(EngineMonitor.class);
            Facts.await("reports persisted", () -> monitor.persistedBlock() == 6);
            assertThat(gauge(context, DATABASE_LAG)).isZero();
        }
    }

    private TestNode node() {
        GenesisFile genesis = TestMarket.write(
                directory,
                1,
                "server.port=0",
                "sealbook.engine.grpc-port=0",
                "sealbook.engine.exit-on-failure=false",
                "sealbook.engine.snapshots.every-seconds=1000000",
                "sealbook.engine.database.idle-ms=10");
        return new TestNode(directory, genesis.digest());
    }

    private ConfigurableApplicationContext start(String... settings) {
        String[] arguments = new String[settings.length + 1];
        for (int i = 0; i < settings.length; i++) {
            arguments[i] = "--" + settings[i];
        }
        arguments[settings.length] = "--logging.level.root=error";
        return EngineApplication.application(directory).run(arguments);
    }

    private static double gauge(ConfigurableApplicationContext context, String name) {
        return context.getBean(MeterRegistry.class).get(name).gauge().value();
    }
}
