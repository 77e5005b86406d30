package io.sealbook.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FactsTest {
    @Test
    void shouldLookAgainUntilTheValueIsThere() throws Exception {
        AtomicInteger looks = new AtomicInteger();

        int found = Facts.awaitPresent(
                () -> "the third look",
                () -> looks.incrementAndGet() == 3 ? Optional.of(looks.get()) : Optional.empty());

        assertThat(found).isEqualTo(3);
    }

    @Test
    void shouldDescribeTheStateAtTheEndOfAWaitInVain() {
        AtomicInteger looks = new AtomicInteger();

        assertThatThrownBy(() -> Facts.awaitPresent(() -> "block 7, last " + looks.get(), Duration.ZERO, () -> {
                    looks.incrementAndGet();
                    return Optional.empty();
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessage("waited 0 s in vain for block 7, last " + looks.get());
    }

    @Test
    void shouldEndAtOnceIfTheFactCanNeverHold() {
        assertThatThrownBy(() -> Facts.await("an answer", () -> {
                    throw new IOException("the process has ended");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("the process has ended");
    }

    /** JUnit interrupts a test whose time is up. */
    @Test
    void shouldEndIfTheThreadIsInterrupted() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Facts.await("an answer", () -> false)).isInstanceOf(InterruptedException.class);

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
