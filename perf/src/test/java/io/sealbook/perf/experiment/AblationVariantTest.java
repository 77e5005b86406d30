package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class AblationVariantTest {
    @Command
    private static final class Loaded {
        @Mixin
        private LoadOptions load;
    }

    @Test
    void shouldHaveAnEffectInTwoProcesses() {
        assertThat(withoutEffect("--shape=split")).isEmpty();
    }

    @Test
    void shouldHaveNoneInAReplicaWithoutQueueAndThreads() {
        assertThat(withoutEffect("--shape=replica"))
                .containsExactly(AblationVariant.TWO_THREADS, AblationVariant.HAND_OFF);
    }

    @Test
    void shouldPartThreadsOfAReplicaWhoseStagesHaveThem() {
        assertThat(withoutEffect("--shape=replica", "--node-property=stage-threads=own"))
                .containsExactly(AblationVariant.HAND_OFF);
    }

    private static List<AblationVariant> withoutEffect(String... options) {
        Loaded command = new Loaded();
        new CommandLine(command).parseArgs(options);
        return Stream.of(AblationVariant.values())
                .filter(variant -> variant.withoutEffect(command.load).isPresent())
                .toList();
    }
}
