package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.ProductVersion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the jar prints about itself; {@link StatusCommandTest} has the exit codes of {@code status}. */
class CommandLineTest {
    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V"})
    void shouldPrintItsVersionAsTheOtherJarsDo(String option) {
        assertThat(EngineApplication.facts(List.of(option)))
                .hasValue("matching-engine " + ProductVersion.text() + System.lineSeparator());
    }

    @ParameterizedTest
    @ValueSource(strings = {"help", "--help", "-h", "start --help", "start DIR -h", "status -h", "status a:1 --help"})
    void shouldPrintItsUsage(String line) {
        assertThat(EngineApplication.facts(List.of(line.split(" "))))
                .hasValueSatisfying(
                        text -> assertThat(text).startsWith("usage: ").contains("--version"));
    }

    @Test
    void shouldRunWhatIsNoQuestionAboutTheJar() {
        assertThat(EngineApplication.facts(List.of())).isEmpty();
        assertThat(EngineApplication.facts(List.of("start", "DIR", "--server.port=0")))
                .isEmpty();
        assertThat(EngineApplication.facts(List.of("status"))).isEmpty();
        assertThat(EngineApplication.facts(List.of("stop", "--help"))).isEmpty();
    }
}
