package io.sealbook.perf.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BandwidthTest {
    private static final long NOW_NS = -50;

    private final Bandwidth bandwidth = new Bandwidth();

    @Test
    void shouldHaveBytesLeaveOneAfterAnother() {
        assertThat(bandwidth.leave(1_000, 1_000_000, NOW_NS)).isEqualTo(NOW_NS + 1_000_000);
        assertThat(bandwidth.leave(500, 1_000_000, NOW_NS + 10)).isEqualTo(NOW_NS + 1_500_000);
    }

    @Test
    void shouldNotSaveWhatWasNotSent() {
        bandwidth.leave(1_000, 1_000_000, NOW_NS);

        assertThat(bandwidth.leave(1_000, 1_000_000, NOW_NS + 5_000_000)).isEqualTo(NOW_NS + 6_000_000);
    }

    @Test
    void shouldHaveNoLimitAtZero() {
        bandwidth.leave(1_000, 1, NOW_NS);

        assertThat(bandwidth.leave(1_000, 0, NOW_NS + 7)).isEqualTo(NOW_NS + 7);
    }
}
