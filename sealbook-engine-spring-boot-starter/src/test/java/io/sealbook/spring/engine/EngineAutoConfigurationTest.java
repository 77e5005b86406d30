package io.sealbook.spring.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.matching.MatchingLoop;
import io.sealbook.engine.meters.EngineReaders;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.facts.Facts;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Which beans there are. */
class EngineAutoConfigurationTest {
    private final ApplicationContextRunner context =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(EngineAutoConfiguration.class));

    @TempDir
    private Path directory;

    @Test
    void shouldMakeNothingIfItIsSwitchedOff() {
        context.withPropertyValues("sealbook.engine.enabled=false")
                .run(started -> assertThat(started).hasNotFailed().doesNotHaveBean(MatchingLoop.class));
    }

    @Test
    void shouldNameTheSettingThatIsMissing() {
        context.run(failed ->
                assertThat(failed).getFailure().rootCause().hasMessage("sealbook.engine: directory is not set"));
    }

    @Test
    void shouldRefuseASettingThatNoEngineReads() {
        TestMarket.write(directory, 7_000);
        inDirectory()
                .withPropertyValues("sealbook.engine.grpc-ports=7103")
                .run(failed -> assertThat(failed)
                        .getFailure()
                        .rootCause()
                        .hasMessage("sealbook.engine: unknown keys sealbook.engine.grpc-ports"
                                + " (nearest is sealbook.engine.grpc-port)"));
    }

    /** A service of Kubernetes named sealbook-engine sets such a variable. */
    @Test
    void shouldTakeEachSpellingAndTheVariablesOfOtherPrograms() {
        TestMarket.write(directory, 7_000);
        PropertySource<?> variables = new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                Map.of("SEALBOOK_ENGINE_PORT", "tcp://10.0.0.1:7103"));
        inDirectory()
                .withInitializer(each -> each.getEnvironment()
                        .getPropertySources()
                        .replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables))
                .withPropertyValues("sealbook.engine.exitOnFailure=false", "sealbook.engine.history.bytes-max=1")
                .run(started -> assertThat(started).hasNotFailed());
    }

    @Test
    void shouldRefuseADirectoryThatAnotherEngineUses() {
        TestMarket.write(directory, 7_000);
        inDirectory()
                .run(first -> inDirectory()
                        .run(second -> assertThat(second)
                                .getFailure()
                                .rootCause()
                                .hasMessageContaining("another engine runs on " + directory)));
    }

    @Test
    void shouldKeepNoJournalThatNothingFollows() {
        TestMarket.write(directory, 7_000);
        inDirectory()
                .run(started -> assertThat(started.getBean(EngineSettings.class).isDatabaseFed())
                        .isFalse());
        inDirectory()
                .withPropertyValues("sealbook.engine.database.enabled=true")
                .run(started -> assertThat(started.getBean(EngineSettings.class).isDatabaseFed())
                        .isTrue());
    }

    @Test
    void shouldListenOnNoPortIfItIsSwitchedOff() {
        TestMarket.write(directory, 7_000);
        inDirectory().withPropertyValues("sealbook.engine.grpc.enabled=false").run(started -> {
            assertThat(started).hasNotFailed().doesNotHaveBean(EngineGrpcServer.class);
            assertThat(started.getBean(EngineReaders.class).connections().getAsInt())
                    .isZero();
        });
    }

    /** Test contexts are paused while another one is used. */
    @Test
    void shouldGoOnWhileTheContextIsPaused() {
        TestMarket.write(directory, 7_000);
        inDirectory().run(started -> {
            ConfigurableApplicationContext whole =
                    started.getSourceApplicationContext(ConfigurableApplicationContext.class);
            EngineMonitor monitor = started.getBean(EngineMonitor.class);
            Facts.await("the engine has started", () -> monitor.phase() == EnginePhase.TAILING);

            whole.pause();
            whole.restart();

            assertThat(started.getBean(EngineLifecycle.class).isRunning()).isTrue();
            assertThat(monitor.phase()).isEqualTo(EnginePhase.TAILING);
        });
    }

    @Test
    void shouldNeedNoHealth() {
        TestMarket.write(directory, 7_000);
        inDirectory()
                .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
                .run(started -> assertThat(started).hasNotFailed().doesNotHaveBean("engineHealthIndicator"));
    }

    private ApplicationContextRunner inDirectory() {
        return context.withPropertyValues("sealbook.engine.directory=" + directory);
    }
}
