package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import com.google.protobuf.Struct;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.handoff.LogFormat;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The lines that a process logs, by its choice of a format. */
class LogFormatTest {
    private static final String MESSAGE = "peer 2 \"lost\"\nnext line";

    @Test
    void shouldLogOneLineOfText() throws Exception {
        assertThat(line("")).matches("1970-01-01T00:00:00.007 WARN {2}ConsensusNode \\[main] peer 2 \"lost\"\n.*\n");
    }

    @Test
    void shouldLogOneJsonObjectPerEvent() throws Exception {
        String line = line("json");

        assertThat(line).endsWith("}\n").hasLineCount(1);
        Struct.Builder event = Struct.newBuilder();
        JsonFormat.parser().merge(line, event);
        assertThat(event.getFieldsMap())
                .containsOnlyKeys("timestamp", "level", "threadName", "loggerName", "formattedMessage", "throwable");
        assertThat(event.getFieldsOrThrow("formattedMessage").getStringValue()).isEqualTo(MESSAGE);
        assertThat(event.getFieldsOrThrow("timestamp").getNumberValue()).isEqualTo(7);
        assertThat(event.getFieldsOrThrow("throwable").getStructValue().getFieldsMap())
                .containsKey("message");
    }

    @SuppressWarnings("unchecked")
    private static String line(String format) throws Exception {
        LoggerContext context = new LoggerContext();
        context.putProperty(LogFormat.NAME, format.isEmpty() ? null : format);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(ConsensusNode.class.getResource("/logback.xml"));
        Logger logger = context.getLogger(ConsensusNode.class);
        LoggingEvent event = new LoggingEvent(
                "caller", logger, Level.WARN, MESSAGE, format.isEmpty() ? null : new Exception("x"), null);
        event.setTimeStamp(7);
        event.setThreadName("main");
        OutputStreamAppender<ILoggingEvent> appender = (OutputStreamAppender<ILoggingEvent>)
                context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("log");
        return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
    }
}
