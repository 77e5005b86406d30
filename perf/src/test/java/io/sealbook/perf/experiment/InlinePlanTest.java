package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.inline.ContractBuild;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class InlinePlanTest {
    @TempDir
    private Path directory;

    @Command
    private static final class Inline {
        @Mixin
        private LoadOptions load;
    }

    /** One that started trained would be compared with some that did not. */
    @ParameterizedTest
    @EnumSource(InlineCommand.Execution.class)
    void shouldStartEachClusterUntrained(InlineCommand.Execution execution) throws Exception {
        Inline command = new Inline();
        new CommandLine(command).parseArgs("--dir=" + directory);

        ClusterPlan plan = InlineCommand.plan(command.load, execution, ContractBuild.of(Home.find()));

        assertThat(plan.isUntrained()).isTrue();
    }
}
