package io.sealbook.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PenaltiesTest {
    private static final int PEER = 2;

    private final Penalties penalties = new Penalties(4);

    @Test
    void shouldDoubleTheWaitWithEachFaultUpToAMinute() {
        assertThat(penalties.waitMs(PEER, 0)).isZero();
        for (int expectedMs = 100; expectedMs < 60_000; expectedMs *= 2) {
            penalties.onFault(PEER, 0);
            assertThat(penalties.waitMs(PEER, 0)).isEqualTo(expectedMs);
        }
        penalties.onFault(PEER, 0);
        penalties.onFault(PEER, 0);

        assertThat(penalties.waitMs(PEER, 0)).isEqualTo(60_000);
        assertThat(penalties.waitMs(1, 0)).isZero();
    }

    @Test
    void shouldEndTheWaitInTime() {
        long began = -5;
        penalties.onFault(PEER, began);

        assertThat(penalties.waitMs(PEER, began + TimeUnit.MILLISECONDS.toNanos(99)))
                .isEqualTo(1);
        assertThat(penalties.waitMs(PEER, began + TimeUnit.MILLISECONDS.toNanos(100)))
                .isZero();
        assertThat(penalties.waitMs(PEER, began + TimeUnit.DAYS.toNanos(60))).isZero();
    }

    @Test
    void shouldForgetAFaultOfLongAgo() {
        penalties.onFault(PEER, 0);
        penalties.onFault(PEER, TimeUnit.MINUTES.toNanos(10));
        assertThat(penalties.waitMs(PEER, TimeUnit.MINUTES.toNanos(10))).isEqualTo(200);

        long muchLater = TimeUnit.MINUTES.toNanos(21);
        penalties.onFault(PEER, muchLater);

        assertThat(penalties.waitMs(PEER, muchLater)).isEqualTo(100);
    }
}
