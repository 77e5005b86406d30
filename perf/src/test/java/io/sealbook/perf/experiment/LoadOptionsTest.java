package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LoadOptionsTest {
    @TempDir
    private Path directory;

    @Test
    void shouldRefuseADatabaseThatAReplicaDoesNotKeep() {
        StringWriter errors = new StringWriter();
        CommandLine throughput = new CommandLine(new ThroughputCommand()).setErr(new PrintWriter(errors));

        int exitCode = throughput.execute(
                "--shape",
                "replica",
                "--database",
                "--dir",
                directory.resolve("cluster").toString());

        assertThat(exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("--database needs --shape split");
        assertThat(directory).isEmptyDirectory();
    }
}
