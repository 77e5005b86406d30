package io.sealbook.perf.siege.hole;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HoleVerdictTest {
    private static final List<String> NAMED = List.of("streams", "connections");

    @Test
    void shouldBeFoundByAllAttacksThatAreNamed() {
        HoleVerdict verdict = new HoleVerdict("hole", NAMED, List.of("connections", "streams"), "a\nfact");

        assertThat(verdict.isFound()).isTrue();
        assertThat(verdict.row()).isEqualTo("hole\tconnections streams\ta fact");
    }

    @Test
    void shouldBeMissedIfOneOfThemFoundNothing() {
        HoleVerdict verdict = new HoleVerdict("hole", NAMED, List.of("connections"), "fact");

        assertThat(verdict.isFound()).isFalse();
        assertThat(verdict.missedBy()).containsExactly("streams");
        assertThat(verdict.row()).isEqualTo("hole\tconnections\tfact");
    }

    @Test
    void shouldSayThatNoneHasFoundIt() {
        assertThat(new HoleVerdict("hole", NAMED, List.of(), "").row()).isEqualTo("hole\tnothing\t");
    }
}
