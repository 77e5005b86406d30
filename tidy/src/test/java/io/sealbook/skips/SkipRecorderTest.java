package io.sealbook.skips;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class SkipRecorderTest {
    @TempDir
    private Path root;

    @Test
    void shouldRecordTestsClassesAndFactories() throws IOException {
        run(SomeSkipped.class, WhollySkipped.class);

        List<Skip> skips = SkipTable.read(root, Instant.EPOCH);

        assertThat(skips)
                .containsExactlyInAnyOrder(
                        new Skip("module", "SkipRecorderTest$SomeSkipped", "needs gcc: as an assumption"),
                        new Skip("module", "SkipRecorderTest$SomeSkipped", "needs valgrind: as a factory"),
                        new Skip("module", "SkipRecorderTest$SomeSkipped", "needs Java 25, by annotation"),
                        new Skip("module", "SkipRecorderTest$WhollySkipped", "needs vector files"));
    }

    @Test
    void shouldRecordNothingOfTestsThatRun() throws IOException {
        run(NothingSkipped.class);

        assertThat(SkipTable.read(root, Instant.EPOCH)).isEmpty();
    }

    @Test
    void shouldLeaveOutEarlierBuilds() throws IOException {
        run(SomeSkipped.class);

        assertThat(SkipTable.read(root, Instant.now().plusSeconds(60))).isEmpty();
    }

    private void run(Class<?>... classes) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Stream.of(classes).map(type -> selectClass(type)).toList())
                .configurationParameter("junit.jupiter.conditions.deactivate", "none")
                .build();
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .addTestExecutionListeners(new SkipRecorder(root.resolve("module")))
                .build();
        LauncherFactory.create(config).execute(request);
    }

    static class SomeSkipped {
        @Test
        void shouldBeAborted() {
            assumeTrue(false, "needs gcc:\n as an assumption");
        }

        @Test
        @Disabled("needs Java 25, by annotation")
        void shouldBeDisabled() {
            assertThat(true).isTrue();
        }

        @TestFactory
        Stream<DynamicTest> shouldBeAnAbortedFactory() {
            assumeTrue(false, "needs valgrind: as a factory");
            return Stream.of();
        }
    }

    static class WhollySkipped {
        @BeforeAll
        static void abort() {
            assumeTrue(false, "needs vector files");
        }

        @Test
        void shouldNotRun() {
            assertThat(true).isTrue();
        }
    }

    static class NothingSkipped {
        @Test
        void shouldRun() {
            assertThat(true).isTrue();
        }
    }
}
