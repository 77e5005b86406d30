package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagedProcessTest {
    private static final long STOP_TIMEOUT_MS = 240_000;

    @TempDir
    private Path directory;

    @Test
    void shouldStartAProcessThatWasStoppedAgain() throws Exception {
        ManagedProcess process = sleeper();
        process.start();
        process.stop(STOP_TIMEOUT_MS);

        process.start();

        assertThat(process.isRunning()).isTrue();
        process.kill();
    }

    /** The thread that drives a cluster starts again what ended, while the virtual machine goes down. */
    @Test
    void shouldStartNothingThatWasEndedWithTheProgram() throws Exception {
        ManagedProcess process = sleeper();
        process.start();

        process.end(STOP_TIMEOUT_MS);

        assertThat(process.isRunning()).isFalse();
        assertThatThrownBy(process::start)
                .isInstanceOf(InterruptedIOException.class)
                .hasMessage("sleeper is not started again, because this program ends");
    }

    private ManagedProcess sleeper() {
        return new ManagedProcess("sleeper", List.of("sleep", "600"), directory.resolve("sleeper.log"));
    }
}
