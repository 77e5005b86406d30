package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** An option that would change nothing is refused before a cluster starts. */
class UnusedOptionsTest {
    @TempDir
    private Path directory;

    /**
     * One wrong use.
     *
     * @param command of an experiment
     * @param refused the option that the message names
     * @param arguments that have it
     */
    record Use(Callable<Integer> command, String refused, List<String> arguments) {
        private static Use of(Callable<Integer> command, String refused, String... arguments) {
            return new Use(command, refused, List.of(arguments));
        }
    }

    static Stream<Use> uses() {
        return Stream.of(
                Use.of(new FailoverCommand(), "--link-delay", "--link-delay=5"),
                Use.of(new FailoverCommand(), "--member-bandwidth", "--member-bandwidth=5"),
                Use.of(new FailoverCommand(), "--fill-page-cache", "--fill-page-cache"),
                Use.of(new FailoverCommand(), "--open-loop", "--open-loop=5"),
                Use.of(new FailoverCommand(), "--seconds", "--seconds=5"),
                Use.of(new FailoverCommand(), "--series", "--series=5"),
                Use.of(new AblationCommand(), "--series", "--series=5"),
                Use.of(new CurvesCommand(), "--series", "NODES", "--series=5"),
                Use.of(new InlineCommand(), "--series", "--series=5"),
                Use.of(new SoakCommand(), "--series", "--series=5"),
                Use.of(new IdleCommand(), "--series", "--series=5"),
                Use.of(new TrainCommand(), "--series", "--series=5"),
                Use.of(new IdleCommand(), "--open-loop", "--open-loop=5"),
                Use.of(new ThroughputCommand(), "--rate-min", "--rate-min=50"),
                Use.of(new AblationCommand(), "--rate-min", "--rate-min=50"),
                Use.of(new CurvesCommand(), "--rate-min", "NODES", "--rate-min=50"),
                Use.of(new InlineCommand(), "--rate-min", "--rate-min=50"),
                Use.of(new FailoverCommand(), "--rate-min", "--rate-min=50"),
                Use.of(new TrainCommand(), "--rate-min", "--rate-min=50"),
                Use.of(new SoakCommand(), "--seconds", "--seconds=5"),
                Use.of(new ThroughputCommand(), "--other-home", "--other-home=elsewhere"),
                Use.of(new AblationCommand(), "--without HAND_OFF", "--shape=replica", "--without=ALL_ON,HAND_OFF"),
                Use.of(new AblationCommand(), "--without TWO_THREADS", "--shape=replica", "--without=TWO_THREADS"),
                Use.of(
                        new AblationCommand(),
                        "--without TWO_THREADS",
                        "--shape=split",
                        "--node-property=stage-threads=shared",
                        "--without=TWO_THREADS"));
    }

    @ParameterizedTest
    @MethodSource("uses")
    void shouldBeRefusedByName(Use use) {
        StringWriter errors = new StringWriter();
        List<String> arguments = new ArrayList<>(use.arguments());
        arguments.add("--dir=" + directory.resolve("cluster"));

        int exitCode = new CommandLine(use.command())
                .setErr(new PrintWriter(errors))
                .execute(arguments.toArray(String[]::new));

        assertThat(exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString().lines().findFirst().orElseThrow()).contains(use.refused());
        assertThat(directory).isEmptyDirectory();
    }
}
