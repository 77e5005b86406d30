package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessFootprintTest {
    private static final long SELF = ProcessHandle.current().pid();
    private static final int HELD_BYTES = 32 << 20;

    @TempDir
    private Path directory;

    @Test
    void shouldSeeReachableMemoryAndOpenFiles() throws Exception {
        Path file = Files.createFile(directory.resolve("a"));
        Path segment = Files.createFile(directory.resolve("segment-1.blocks"));
        ProcessFootprint before = ProcessFootprint.of(SELF);
        byte[] held = new byte[HELD_BYTES];
        List<InputStream> open = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            open.add(new FileInputStream(file.toFile()));
            open.add(new FileInputStream(segment.toFile()));
        }

        ProcessFootprint after = ProcessFootprint.of(SELF);
        for (InputStream stream : open) {
            stream.close();
        }

        assertThat(after.liveHeapBytes() - before.liveHeapBytes()).isBetween(HELD_BYTES / 2L, HELD_BYTES * 2L);
        assertThat(after.descriptors() - before.descriptors()).isBetween(40L, 60L);
        assertThat(after.anonymousBytes()).isGreaterThan(after.liveHeapBytes());
        assertThat(after.threads()).isPositive();
        assertThat(held).hasSize(HELD_BYTES);
    }

    @Test
    void shouldReadTheTotalsOfAClassHistogram() throws Exception {
        assertThat(ProcessFootprint.liveHeapBytes("""
                4711:
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:          1000         123456  [B (java.base@25)
                Total          1018        7654321
                """)).isEqualTo(7_654_321);
        assertThatThrownBy(() -> ProcessFootprint.liveHeapBytes("4711:\nnot attached\n"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("2 lines: 4711:");
    }

    @Test
    void shouldSayThatAProcessDoesNotAnswer() {
        // No process has this number (proc(5), pid_max).
        assertThatThrownBy(() -> ProcessFootprint.of(1L << 30))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("GC.class_histogram failed");
    }

    @Test
    void shouldAddTheSizesOfFiles() throws Exception {
        Files.write(directory.resolve("one"), new byte[10]);
        Files.write(Files.createDirectory(directory.resolve("below")).resolve("two"), new byte[5]);

        assertThat(ProcessFootprint.bytesBelow(directory)).isEqualTo(15);
    }
}
