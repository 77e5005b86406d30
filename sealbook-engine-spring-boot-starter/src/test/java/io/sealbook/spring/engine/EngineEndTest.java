package io.sealbook.spring.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.rebuild.EngineRebuildException;
import io.sealbook.membership.UnknownProtocolVersionException;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** The exit codes by which a supervisor distinguishes a full disk from a fault of the program. */
class EngineEndTest {
    @Test
    void shouldEndWithAnExitCodeForEachKindOfFailure() {
        assertThat(EngineEnd.exitCode(new UncheckedIOException("journal: cannot sync", new IOException("no room"))))
                .isEqualTo(74);
        assertThat(EngineEnd.exitCode(new OperatingFailureException("queue/results: result of block 7 is damaged")))
                .isEqualTo(74);
        assertThat(EngineEnd.exitCode(new BrokenInvariantException("report 9 came after 7")))
                .isEqualTo(70);
        assertThat(EngineEnd.exitCode(new OutOfMemoryError("Java heap space"))).isEqualTo(70);
        assertThat(EngineEnd.exitCode(new EngineRebuildException("the result of block 7 differs")))
                .isEqualTo(70);
        assertThat(EngineEnd.exitCode(new IllegalStateException("block 9", new UnknownProtocolVersionException(3))))
                .isEqualTo(76);
    }
}
