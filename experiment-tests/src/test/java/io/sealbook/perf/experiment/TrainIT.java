package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A cluster that started trained comes to right answers; in a home of its own, so that no other test starts trained.
 */
@Tag("long")
class TrainIT {

    @TempDir
    private Path home;

    private final StringWriter errors = new StringWriter();

    @BeforeEach
    void copyJars() throws IOException {
        for (String module : List.of("consensus-node", "matching-engine")) {
            Path jar = Path.of(module, "target", module + ".jar");
            Files.createDirectories(home.resolve(jar).getParent());
            Files.copy(Home.find().resolve(jar), home.resolve(jar));
        }
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    @EnabledForJreRange(minVersion = 25, disabledReason = "needs Java 25")
    void shouldStartTrainedAfterTraining() throws IOException {
        assertThat(run(new TrainCommand())).as(errors.toString()).isZero();

        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            // How fast this machine is beside other work is no question of a test.
            assertThat(run(new ThroughputCommand(), "--rate-min", "0"))
                    .as(errors.toString())
                    .isZero();
        } finally {
            System.setOut(out);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("Virtual machines start trained");
        for (String log : List.of("cluster/node0/node.log", "cluster/node0/engine.log")) {
            assertThat(Files.readString(home.resolve(log)))
                    .doesNotContain("[warning]")
                    .doesNotContain("[error]");
        }
    }

    private int run(Object command, String... options) {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("--home", home.toString()));
        arguments.addAll(List.of("--dir", home.resolve("cluster").toString()));
        arguments.addAll(List.of("--orders", "30", "--open-loop", "1000", "--warm-up", "0", "--seconds", "3"));
        return new CommandLine(command).setErr(new PrintWriter(errors)).execute(arguments.toArray(String[]::new));
    }
}
