package io.sealbook.consensus.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.node.port.BlockTimes;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BlockPhaseTimersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final BlockPhaseTimers phases = new BlockPhaseTimers(registry);

    @Test
    void shouldRecordEachPhase() {
        phases.handedOn(5, new BlockTimes(100, 130, 200), 205, 1_000);
        phases.executed(5, 1_007);

        assertThat(total("packing")).isEqualTo(30);
        assertThat(total("agreement")).isEqualTo(70);
        assertThat(total("commit")).isEqualTo(5);
        assertThat(total("execution")).isEqualTo(7);
    }

    @Test
    void shouldTakeAResultThatIsFaster() {
        phases.executed(5, 1_007);
        phases.handedOn(5, new BlockTimes(100, 130, 200), 205, 1_000);
        phases.executed(6, 1_001);
        phases.handedOn(6, new BlockTimes(100, 130, 200), 205, 1_002);

        assertThat(total("execution"))
                .as("clocks that differ do not make it negative")
                .isEqualTo(7);
        assertThat(timer("execution").count()).isEqualTo(2);
    }

    @Test
    void shouldRecordNothingOfBlocksThatItDidNotAgreeOn() {
        for (long sequence = 1; sequence <= 5_000; sequence++) {
            phases.executed(sequence, sequence);
        }
        phases.handedOn(1, new BlockTimes(BlockTimes.UNKNOWN, BlockTimes.UNKNOWN, 200), 205, 1_000);

        assertThat(timer("packing").count()).isZero();
        assertThat(timer("agreement").count()).isZero();
        assertThat(timer("execution").count()).isZero();
        assertThat(total("commit")).isEqualTo(5);
    }

    private Timer timer(String phase) {
        return registry.get("sealbook.node.block.phase").tag("phase", phase).timer();
    }

    private double total(String phase) {
        return timer(phase).totalTime(TimeUnit.NANOSECONDS);
    }
}
