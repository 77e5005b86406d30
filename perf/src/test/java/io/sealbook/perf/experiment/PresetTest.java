package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class PresetTest {
    @Command
    private static final class Loaded {
        @Mixin
        private LoadOptions load;
    }

    @Test
    void shouldDecideTheLoadOfThePaper() {
        Loaded command = new Loaded();
        new CommandLine(command).parseArgs("--seconds", "7");

        command.load.take(Preset.MAIN_BOARD);

        assertThat(command.load.brokerSchemes).hasSize(4);
        assertThat(command.load.inFlight).isEqualTo(100);
        assertThat(command.load.testnetOptions())
                .containsExactly("--block-max-batches", "500", "--block-max-wait-ms", "500");
        assertThat(command.load.seconds).isEqualTo(7);
        assertThat(Preset.MAIN_BOARD.ordersPerBatch).isEqualTo(10);
    }

    @Test
    void shouldRefuseAnOptionThatItDecides() {
        StringWriter errors = new StringWriter();
        CommandLine throughput = new CommandLine(new ThroughputCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setErr(new PrintWriter(errors));

        int exitCode = throughput.execute("--preset", "main-board", "--in-flight", "7");

        assertThat(exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("--in-flight is decided by --preset main-board");
    }
}
