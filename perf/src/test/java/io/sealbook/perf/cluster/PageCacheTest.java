package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, disabledReason = "needs /proc")
class PageCacheTest {
    private static final long BYTES = 4 << 20;

    @TempDir
    private Path directory;

    @Test
    void shouldFillPagesAndLeaveNoFile() throws IOException {
        try (FileChannel filling = PageCache.fill(directory, BYTES, 0);
                Stream<Path> files = Files.list(directory)) {
            assertThat(filling.map(FileChannel.MapMode.READ_ONLY, 0, BYTES).isLoaded())
                    .isTrue();
            assertThat(files).isEmpty();
        }
    }
}
