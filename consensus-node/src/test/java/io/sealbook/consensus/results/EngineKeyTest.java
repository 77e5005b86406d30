package io.sealbook.consensus.results;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sealbook.consensus.config.KeyModes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class EngineKeyTest {
    @TempDir
    private Path files;

    @Test
    void shouldWarnOfAKeyThatOthersMayRead() throws IOException {
        Path file = Files.writeString(files.resolve("engine.key"), "0f".repeat(32));
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(KeyModes.class);
        logger.addAppender(lines);
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            EngineKey.read(file);
            assertThat(lines.list).isEmpty();

            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            EngineKey.read(file);
        } finally {
            logger.detachAppender(lines);
        }

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("key file " + file + " has mode rw-r--r--: others may use it; chmod 600 " + file);
    }
}
