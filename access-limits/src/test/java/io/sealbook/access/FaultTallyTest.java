package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultTallyTest {
    @Test
    void shouldNameFewerAndFewerFaultsOfAPeerThatFloods() {
        FaultTally tally = new FaultTally();

        assertThat(IntStream.range(0, 1_000_000).mapToLong(i -> tally.count(0)).filter(count -> count > 0))
                .containsExactly(
                        1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L, 1_024L, 2_048L, 4_096L, 8_192L, 16_384L,
                        32_768L, 65_536L, 131_072L, 262_144L, 524_288L);
    }

    @Test
    void shouldCountEachPeerByItself() {
        FaultTally tally = new FaultTally();
        IntStream.range(0, 3).forEach(i -> tally.count(1));

        assertThat(tally.count(60)).isEqualTo(1);
        assertThat(tally.count(1)).isEqualTo(4);
    }

    @Test
    void shouldCountAllNumbersThatNoNodeHasTogether() {
        FaultTally tally = new FaultTally();
        IntStream.of(-1, Integer.MIN_VALUE, 64).forEach(tally::count);

        assertThat(tally.count(Integer.MAX_VALUE)).isEqualTo(4);
    }
}
