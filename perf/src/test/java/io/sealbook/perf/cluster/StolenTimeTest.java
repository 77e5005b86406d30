package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StolenTimeTest {
    @Test
    void shouldReadWhatTheHostTookOfAllCores() {
        List<String> stat = List.of(
                "cpu  10132153 290696 3084719 46828483 16683 0 25195 175628 0 0",
                "cpu0 1393280 32966 572056 13343292 6130 0 17875 23933 0 0",
                "intr 8688370");

        assertThat(StolenTime.seconds(stat)).isEqualTo(1_756.28);
    }

    @Test
    void shouldFindNothingStolenWhereTheSystemDoesNotTell() {
        assertThat(StolenTime.seconds(List.of())).isZero();
        assertThat(StolenTime.seconds(List.of("cpu  10132153 290696 3084719 46828483")))
                .isZero();
    }
}
