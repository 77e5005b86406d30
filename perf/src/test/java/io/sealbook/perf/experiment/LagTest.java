package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class LagTest {
    @Test
    void shouldRefuseADatabaseThatLacksMoreThanATenthOfTheRun() {
        assertThatThrownBy(() -> new Lag(0, 0, 101, 0).checkDatabase(1_000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("lacks 101 blocks after a run of 1000");
    }

    @Test
    void shouldAcceptADatabaseThatKeepsUp() {
        assertThatCode(() -> new Lag(0, 0, 100, 0).checkDatabase(1_000)).doesNotThrowAnyException();
    }

    @Test
    void shouldAcceptTheFewBlocksThatADatabaseWritesTogether() {
        assertThatCode(() -> new Lag(0, 0, 64, 0).checkDatabase(100)).doesNotThrowAnyException();
    }
}
