package io.sealbook.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class FailureTextTest {
    @Test
    void shouldNameTheReasonThatOnlyTheClassHas() {
        assertThat(FailureText.of(new NoSuchFileException("d/node.key"))).isEqualTo("there is no file d/node.key");
        assertThat(FailureText.of(new IllegalStateException("closed"))).isEqualTo("closed");
    }
}
