package io.sealbook.spring.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class EngineHealthIndicatorTest {
    private final EngineMonitor monitor = new EngineMonitor(new SimpleMeterRegistry());
    private final EngineHealthIndicator health = new EngineHealthIndicator(monitor);

    @Test
    void shouldBeDownWhileADamagedBlockIsAwaited() {
        monitor.enter(EnginePhase.TAILING);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);

        monitor.onObstacle(Optional.of("block 5 is damaged"));

        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsEntry("obstacle", "block 5 is damaged");

        monitor.onObstacle(Optional.empty());

        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void shouldBeDownWhileItsResultIsWrong() {
        monitor.enter(EnginePhase.TAILING);

        monitor.onWrongResult(Optional.of("the result of block 5 is a, the others have b"));

        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails())
                .containsEntry("wrongResult", "the result of block 5 is a, the others have b");
    }
}
