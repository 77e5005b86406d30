package io.sealbook.simulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A sample of the table, from source to verdict: the command makes the whole of it. */
class MutantsCommandTest {
    private final StringWriter out = new StringWriter();

    @TempDir
    private Path directory;

    private int run(String... arguments) {
        CommandLine command = new CommandLine(new MutantsCommand()).setOut(new PrintWriter(out));
        String[] all = new String[arguments.length + 2];
        all[0] = "--repository";
        all[1] = Checkout.root().toString();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return command.execute(all);
    }

    @Test
    void shouldFindWithTheSimulator() throws Exception {
        Path results = directory.resolve("results.tsv");
        Files.write(results, List.of(MutantVerdict.COLUMNS, "gone\tGone.java\tsimulator\t1\t1.0\t-"));

        int exitCode = run("--only", "quorum-one-short", "--seeds", "200", "--results", results.toString());

        assertThat(exitCode).as(out.toString()).isZero();
        assertThat(out.toString()).contains("1 mutants: 1 found, 1 of them by the simulator");
        assertThat(Files.readAllLines(results)).hasSize(2).last().asString().contains("quorum-one-short\tQuorum.java");
    }

    @Test
    void shouldFindWithAUnitTest() {
        int exitCode = run("--only", "log-checksum-unchecked");

        assertThat(exitCode).as(out.toString()).isZero();
        assertThat(out.toString()).contains("1 mutants: 1 found, 0 of them by the simulator");
    }

    /** One that few seeds do not find: the exit code and the last line name it. */
    @Test
    void shouldNameWhatNothingFinds() {
        int exitCode = run("--only", "window-without-upper-end", "--seeds", "1");

        assertThat(exitCode).isEqualTo(1);
        assertThat(out.toString()).contains("0 found", "not found: window-without-upper-end");
    }

    @Test
    void shouldRefuseANameThatNoMutantHas() {
        int exitCode = run("--only", "quorum-one-short,quorum-one-shrot", "--check");

        assertThat(exitCode).isEqualTo(1);
        assertThat(out.toString()).contains("no mutant has a name or file with quorum-one-shrot");
    }
}
