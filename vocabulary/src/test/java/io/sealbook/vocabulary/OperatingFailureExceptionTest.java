package io.sealbook.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** Whether the world or the program failed, and the line that tells an operator. */
class OperatingFailureExceptionTest {
    private static final IOException FULL = new IOException("No space left on device");

    @Test
    void shouldFindTheWorldBehindAFailure() {
        assertThat(OperatingFailureException.isBehind(new OperatingFailureException("archive: torn")))
                .isTrue();
        assertThat(OperatingFailureException.isBehind(
                        new UncheckedIOException("reports: cannot write", FULL), IOException.class))
                .isTrue();
        assertThat(OperatingFailureException.isBehind(
                        new IllegalStateException("a thread ended", FULL), IOException.class))
                .isTrue();
        assertThat(OperatingFailureException.isBehind(
                        new InternalError("a fault occurred in a recent unsafe memory access operation")))
                .isTrue();
    }

    @Test
    void shouldCallABrokenInvariantTheProgramsOwn() {
        assertThat(OperatingFailureException.isBehind(
                        new BrokenInvariantException("block 7 after block 5", FULL), IOException.class))
                .isFalse();
        assertThat(OperatingFailureException.isBehind(new IllegalStateException("not asked for", FULL)))
                .isFalse();
        assertThat(OperatingFailureException.isBehind(new IllegalStateException("no kind")))
                .isFalse();
        assertThat(OperatingFailureException.isBehind(new InternalError("other")))
                .isFalse();
    }

    @Test
    void shouldDescribeWhatFailedAndWhyInALine() {
        assertThat(OperatingFailureException.describe(
                        new IllegalStateException("engine", new UncheckedIOException("reports: cannot write", FULL))))
                .isEqualTo("engine: reports: cannot write: No space left on device");
        assertThat(OperatingFailureException.describe(new UncheckedIOException(FULL)))
                .isEqualTo("java.io.IOException: No space left on device");
        assertThat(OperatingFailureException.describe(new IllegalStateException()))
                .isEqualTo("java.lang.IllegalStateException");
    }
}
