package io.sealbook.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.v1.Parameters;
import org.junit.jupiter.api.Test;

class KeySessionsTest {
    private static final Parameters APART = Parameters.newBuilder()
            .setSessionsPerBroker(12)
            .setSessionsPerKey(4)
            .build();

    @Test
    void shouldGiveKeysThatFollowEachOtherSessionsOfTheirOwn() {
        assertThat(KeySessions.of(APART, 1)).isEqualTo(new KeySessions(0, 4));
        assertThat(KeySessions.of(APART, 2)).isEqualTo(new KeySessions(4, 4));
        assertThat(KeySessions.of(APART, 3)).isEqualTo(new KeySessions(8, 4));
        assertThat(KeySessions.of(APART, 4)).as("they begin again").isEqualTo(new KeySessions(0, 4));
        assertThat(KeySessions.of(APART, 0)).isEqualTo(new KeySessions(8, 4));
        assertThat(KeySessions.of(APART, 65_535)).isEqualTo(new KeySessions(8, 4));
    }

    @Test
    void shouldHaveAQuarterOfTheSessionsAtMost() {
        assertThat(KeySessions.perKey(GenesisFile.NEW_SESSIONS_PER_BROKER)).isEqualTo(16);
        assertThat(KeySessions.perKey(100)).isEqualTo(25);
        assertThat(KeySessions.perKey(10)).isEqualTo(2);
        assertThat(KeySessions.perKey(7)).isEqualTo(1);
        assertThat(KeySessions.perKey(1)).isEqualTo(1);
    }

    @Test
    void shouldHaveItsSessionsAlone() {
        KeySessions second = KeySessions.of(APART, 2);

        assertThat(second.has(3)).isFalse();
        assertThat(second.has(4)).isTrue();
        assertThat(second.has(7)).isTrue();
        assertThat(second.has(8)).isFalse();
    }

    @Test
    void shouldGiveEachKeyAllSessionsOfAChainWithoutTheParameter() {
        Parameters shared = Parameters.newBuilder().setSessionsPerBroker(12).build();

        assertThat(KeySessions.of(shared, 1)).isEqualTo(new KeySessions(0, 12));
        assertThat(KeySessions.of(shared, 2)).isEqualTo(new KeySessions(0, 12));
    }
}
