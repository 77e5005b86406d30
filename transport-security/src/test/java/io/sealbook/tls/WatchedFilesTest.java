package io.sealbook.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedFilesTest {
    @TempDir
    private Path directory;

    @Test
    void shouldOutliveContentThatNobodyExpects() throws Exception {
        Path file = directory.resolve("file.pem");
        AtomicInteger loads = new AtomicInteger();
        WatchedFiles files = new WatchedFiles(List.of(file), () -> {
            if (loads.incrementAndGet() == 2) {
                throw new IllegalStateException("planted");
            }
        });

        Files.writeString(file, "strange");
        files.refresh();
        Files.writeString(file, "good again");
        files.refresh();

        assertThat(loads).hasValue(3);
    }
}
