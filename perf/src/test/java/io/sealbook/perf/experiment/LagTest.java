package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
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

    @Test
    void shouldAskAgainWhoAnswersLate() throws IOException {
        Iterator<Optional<String>> answers =
                List.of(Optional.<String>empty(), Optional.of("here")).iterator();

        assertThat(Lag.answer(answers::next, "node 2")).isEqualTo("here");
        assertThatThrownBy(() -> Lag.answer(Optional::empty, "node 2"))
                .isInstanceOf(IOException.class)
                .hasMessage("node 2 does not answer after the load");
    }
}
