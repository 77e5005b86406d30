package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of damage, beside a file that is larger than all bytes that may be kept. */
class QuarantineTest {
    @TempDir
    private Path directory;

    @Test
    void shouldKeepBytesBesideALargeFile() throws IOException {
        Path large = directory.resolve("large.log");
        try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
            sparse.setLength(Quarantine.KEPT_BYTES_MAX + 1);
        }
        Quarantine quarantine = new Quarantine(directory);
        assertThat(quarantine.keepFile(large, "large", "log")).isPresent();

        quarantine.keep("block-1", new byte[] {1, 2, 3});
        quarantine.keep("block-2", new byte[(int) Quarantine.KEPT_BYTES_MAX]);

        Path kept = directory.resolve(Quarantine.DIRECTORY_NAME);
        assertThat(kept.resolve("block-1.bytes")).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(kept.resolve("block-2.bytes")).as("more than may be kept").doesNotExist();
    }
}
