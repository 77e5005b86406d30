package io.sealbook.consensus.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.port.StorageFailureException;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The exit codes that a supervisor tells apart. */
class NodeProcessTest {
    @Test
    void shouldEndWithAnExitCodeForEachKindOfFailure() {
        assertThat(NodeProcess.exitCode(new StorageFailureException("storage failed", new IOException("full"))))
                .isEqualTo(74);
        assertThat(NodeProcess.exitCode(new BrokenInvariantException("block 7 after block 5")))
                .isEqualTo(70);
    }
}
