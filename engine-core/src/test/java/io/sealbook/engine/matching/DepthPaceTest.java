package io.sealbook.engine.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DepthPaceTest {
    private static final boolean IDLE = true;
    private static final boolean READ = true;
    private static final long START_NS = Long.MAX_VALUE - 7;

    private final DepthPace pace = new DepthPace(50, START_NS);

    @Test
    void shouldPublishAtOnceWhileThereIsNothingElseToDo() {
        assertThat(pace.isDue(IDLE, !READ, START_NS)).isTrue();
        assertThat(pace.isDue(!IDLE, READ, START_NS)).isFalse();
    }

    @Test
    void shouldPublishForReadersAsOftenAsItMay() {
        assertThat(pace.isDue(!IDLE, READ, after(49))).isFalse();
        assertThat(pace.isDue(!IDLE, READ, after(50))).isTrue();

        pace.onPublished(after(60));

        assertThat(pace.isDue(!IDLE, READ, after(109))).isFalse();
        assertThat(pace.isDue(!IDLE, READ, after(110))).isTrue();
    }

    @Test
    void shouldPublishOncePerSecondForNobody() {
        assertThat(pace.isDue(!IDLE, !READ, after(999))).isFalse();
        assertThat(pace.isDue(!IDLE, !READ, after(1_000))).isTrue();
        assertThat(new DepthPace(3_000, START_NS).isDue(!IDLE, !READ, after(2_999)))
                .isFalse();
    }

    private static long after(long ms) {
        return START_NS + TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
