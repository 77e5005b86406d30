package io.sealbook.consensus.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.consensus.config.DistinctDisks;
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

    /** The archive and the queue are on disks of their own. */
    @Test
    void shouldWatchEachDiskOnce() throws IOException {
        NodeDirectory node = withAllDirectories();

        assertThat(watched(node, ProcessMetersTest::disk))
                .containsExactlyInAnyOrder(root, node.archive(), root.resolve("queue"));
    }

    @Test
    void shouldWatchTheDiskOfItsDirectoryBeforeTheOthersExist() {
        assertThat(watched(new NodeDirectory(root), Files::getFileStore)).containsExactly(root);
    }

    /** As under systemd's {@code ProcSubset=pid}. */
    @Test
    void shouldWatchEachDirectoryWhereTheSystemDoesNotTellDisksApart() throws IOException {
        NodeDirectory node = withAllDirectories();

        assertThat(watched(node, directory -> {
                    throw new IOException("Mount point not found");
                }))
                .containsExactlyInAnyOrderElementsOf(node.written());
    }

    private NodeDirectory withAllDirectories() throws IOException {
        NodeDirectory node = new NodeDirectory(root);
        for (Path each : node.written()) {
            Files.createDirectories(each);
        }
        return node;
    }

    private static List<Path> watched(NodeDirectory node, DistinctDisks.DiskOf diskOf) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (ProcessMeters meters = new ProcessMeters(registry, node.written(), diskOf)) {
            assertThat(meters).isNotNull();
            return registry.get("disk.free").gauges().stream()
                    .map(gauge -> Path.of(gauge.getId().getTag("path")))
                    .toList();
        }
    }

    private static Object disk(Path directory) {
        return List.of("archive", "queue").contains(directory.getFileName().toString())
                ? directory.getFileName()
                : "the first disk";
    }
}
