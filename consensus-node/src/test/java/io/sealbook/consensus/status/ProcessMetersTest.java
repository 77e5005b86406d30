package io.sealbook.consensus.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.consensus.config.NodeDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMetersTest {
    @TempDir
    Path root;

    /** Of the directories alone, which all exist, the archive and the queue are on disks of their own. */
    @Test
    void shouldWatchEachDiskOnce() throws IOException {
        NodeDirectory node = new NodeDirectory(root);
        for (Path each : node.written()) {
            Files.createDirectories(each);
        }

        assertThat(ProcessMeters.onDistinctDisks(node.written(), ProcessMetersTest::disk))
                .containsExactly(root, node.archive(), root.resolve("queue"));
    }

    @Test
    void shouldWatchTheDiskOfItsDirectoryBeforeTheOthersExist() throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (ProcessMeters meters = new ProcessMeters(registry, new NodeDirectory(root).written())) {
            assertThat(meters).isNotNull();
            assertThat(registry.get("disk.free").gauges())
                    .extracting(Meter::getId)
                    .extracting(id -> id.getTag("path"))
                    .containsExactly(root.toString());
        }
    }

    private static Object disk(Path directory) {
        return List.of("archive", "queue").contains(directory.getFileName().toString())
                ? directory.getFileName()
                : "the first disk";
    }
}
