package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrashSessionsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 30, 31, 32, 63})
    void shouldGiveEachLaneOfEachLifeSessionsThatNoOtherUses(int rounds) {
        CrashSessions sessions = new CrashSessions(rounds);

        int free = 0;
        for (int life = 1; life <= rounds + 1; life++) {
            for (int node = 0; node < CrashSessions.NODES; node++) {
                assertThat(sessions.first(life, node)).isEqualTo(free);
                free += sessions.ofLane();
            }
        }
        assertThat(sessions.ofLane()).isGreaterThanOrEqualTo(4);
        assertThat(free).isLessThanOrEqualTo(TestBroker.SESSIONS);
    }

    @Test
    void shouldRefuseMoreRoundsThanThereAreSessions() {
        assertThatThrownBy(() -> new CrashSessions(64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sealbook.crash.rounds is 64, expected 1..63: a broker has 1024 sessions");
    }
}
