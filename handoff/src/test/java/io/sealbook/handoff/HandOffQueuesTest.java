package io.sealbook.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import net.openhft.chronicle.queue.ChronicleQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HandOffQueuesTest {
    @TempDir
    Path directory;

    /** Node and engine start at once: the reader has created the file and has not written its first bytes yet. */
    @Test
    void shouldOpenAQueueThatItsReaderIsCreating() throws Exception {
        Files.createFile(directory.resolve("metadata.cq4t"));

        try (ChronicleQueue written = HandOffQueues.openForWriting(directory);
                ChronicleQueue read = HandOffQueues.openForReading(directory)) {
            written.createAppender().writeText("block");
            assertThat(read.createTailer().readText()).isEqualTo("block");
        }
        try (ChronicleQueue again = HandOffQueues.openForWriting(directory)) {
            again.createAppender().writeText("next");
        }
    }
}
