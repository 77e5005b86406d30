package io.sealbook.consensus.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeStatusCommandTest {
    /** No certificate has the name 0.0.0.0. */
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, localhost",
        "::, localhost",
        "127.0.0.1, 127.0.0.1",
        "localhost, localhost",
        "::1, [0:0:0:0:0:0:0:1]"
    })
    void shouldReachAFollowerWhereItListens(String bindAddress, String expected) throws IOException {
        assertThat(NodeStatusCommand.reachable(bindAddress)).isEqualTo(expected);
    }

    @Test
    void shouldSayThatTheGenesisFileIsNotThere(@TempDir Path empty) {
        StringWriter err = new StringWriter();

        int exitCode = NodeTool.commandLine()
                .setErr(new PrintWriter(err, true))
                .execute("status", "--cluster", empty.toString());

        assertThat(exitCode).isEqualTo(1);
        assertThat(err).hasToString("there is no file " + empty.resolve("genesis.json") + System.lineSeparator());
    }
}
