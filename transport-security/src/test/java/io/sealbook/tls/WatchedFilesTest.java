package io.sealbook.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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

    /** It was no fault of the file: no descriptor was left, or its certificate was not valid yet. */
    @Test
    void shouldTryAgainWhatCouldNotBeLoaded() throws Exception {
        Path file = directory.resolve("file.pem");
        AtomicInteger loads = new AtomicInteger();
        WatchedFiles.Loading loading = () -> {
            if (loads.incrementAndGet() == 2) {
                throw new IOException("too many open files");
            }
        };
        AtomicLong clock = new AtomicLong();
        WatchedFiles files = new WatchedFiles(List.of(file), loading, clock::get);
        Files.writeString(file, "good");
        files.refresh();
        files.refresh();
        assertThat(loads).as("not at each handshake").hasValue(2);

        clock.addAndGet(WatchedFiles.RETRY_NS);
        files.refresh();
        files.refresh();

        assertThat(loads).as("it is loaded").hasValue(3);
    }
}
