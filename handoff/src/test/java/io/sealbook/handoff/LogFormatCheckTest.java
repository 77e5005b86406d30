package io.sealbook.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LogFormatCheckTest {
    @Test
    void shouldRefuseAFormatThatWouldHaveNoLog() {
        assertThatThrownBy(() -> LogFormat.check("xml"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("SEALBOOK_LOG_FORMAT is 'xml', expected text or json");
        assertThatCode(() -> LogFormat.check("json")).doesNotThrowAnyException();
        assertThatCode(() -> LogFormat.check("text")).doesNotThrowAnyException();
        assertThatCode(() -> LogFormat.check(null)).doesNotThrowAnyException();
    }

    @Test
    void shouldTakeTheFormatFromACommandLine() {
        assertThat(LogFormat.option("start", "DIR", "--log", "json")).isEqualTo("json");
        assertThat(LogFormat.option("start", "--log=text", "DIR")).isEqualTo("text");
        assertThat(LogFormat.option("start", "DIR", "--logging.level.root=error"))
                .isNull();
        assertThat(LogFormat.option("start", "DIR", "--log")).isNull();
    }
}
