package io.sealbook.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerfToolTest {
    @Test
    void shouldSayThatAFileIsNotThere(@TempDir Path empty) {
        StringWriter err = new StringWriter();
        Path absent = empty.resolve("result.json");

        int exitCode = PerfTool.commandLine().setErr(new PrintWriter(err, true)).execute("results", absent.toString());

        assertThat(exitCode).isEqualTo(1);
        assertThat(err).hasToString("results: there is no file " + absent + System.lineSeparator());
    }
}
