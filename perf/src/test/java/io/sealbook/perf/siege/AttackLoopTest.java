package io.sealbook.perf.siege;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class AttackLoopTest {
    @Test
    void shouldGoOnWhileOthersAreAsked() throws Exception {
        AtomicInteger made = new AtomicInteger();
        try (AttackLoop loop = AttackLoop.begin("loop", made::incrementAndGet)) {
            loop.awaitRounds(2);
            loop.awaitRounds(2);

            assertThat(loop.rounds()).isGreaterThanOrEqualTo(4);
        }
    }

    @Test
    void shouldReportARoundThatFailed() throws Exception {
        AtomicInteger made = new AtomicInteger();
        try (AttackLoop loop = AttackLoop.begin("loop", () -> {
            if (made.incrementAndGet() > 3) {
                throw new IllegalStateException("round 4 was taken");
            }
        })) {
            assertThatIOException().isThrownBy(() -> loop.awaitRounds(10)).withMessage("round 4 was taken");

            assertThat(loop.rounds()).isEqualTo(3);
        }
    }
}
