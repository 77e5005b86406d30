package io.sealbook.chaos.run;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.perf.cluster.ManagedProcess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosRunTest {
    private static final long STOP_TIMEOUT_MS = 120_000;

    @TempDir
    Path directory;

    /** It ends all processes, which proves nothing. */
    @Test
    void shouldBlameNoFaultForTheEndOfThisProgram() throws Exception {
        IOException failure = new IOException("kill -STOP of node 1 ended with exit code 1");
        List<ManagedProcess> members = List.of(process("node 0"), process("node 1"));
        members.getFirst().start();
        ChaosRun.throwIfEnding(failure, members);

        members.getFirst().end(STOP_TIMEOUT_MS);

        assertThatThrownBy(() -> ChaosRun.throwIfEnding(failure, members))
                .isInstanceOf(InterruptedIOException.class)
                .hasCause(failure);
    }

    private ManagedProcess process(String name) {
        return new ManagedProcess(name, List.of("true"), directory.resolve(name));
    }
}
