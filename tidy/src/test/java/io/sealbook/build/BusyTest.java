package io.sealbook.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BusyTest {
    private static final String BUSY =
            Path.of("..", ".ci", "busy").toAbsolutePath().normalize().toString();

    /** The command says that it runs, then waits for its input to end. */
    @Test
    void shouldEndItsLoopsWithTheCommand() throws Exception {
        Process busy = start("-l", "2", "sh", "-c", "echo running; cat");
        List<ProcessHandle> beside;
        try (BufferedReader output = busy.inputReader()) {
            assertThat(output.readLine()).isEqualTo("running");
            // Two loops, and the command's own shell.
            beside = busy.children().toList();
            assertThat(beside).hasSize(3).allMatch(ProcessHandle::isAlive);
            busy.outputWriter().close();
            assertThat(busy.waitFor()).isZero();
        }

        assertThat(beside).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void shouldEndAtTheFirstRunThatFails() throws Exception {
        assertThat(start("-l", "0", "-r", "5", "sh", "-c", "exit 3").waitFor()).isEqualTo(3);
        assertThat(start("-l", "0", "-r", "2", "true").waitFor()).isZero();
    }

    @Test
    void shouldRefuseToRunNothing() throws Exception {
        assertThat(start("-l", "1").waitFor()).isEqualTo(2);
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(BUSY));
        Collections.addAll(command, arguments);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
