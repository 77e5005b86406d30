package io.sealbook.perf.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.cluster.LocalCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The siege finds a hole in an engine that is planted in a cluster; {@link SiegeIT} finds nothing without one. */
class PlantedHoleIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldFindAPlantedHole() throws Exception {
        Path home = Home.find();
        Path output = directory.resolve("holes.log");
        Path table = directory.resolve("holes.tsv");
        Process holes = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        LocalCluster.jar(home, "perf").toString(),
                        "holes",
                        "--home=" + home,
                        "--dir=" + directory.resolve("work"),
                        "--holes=foreign-origin",
                        "--results=" + table)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(holes.waitFor()).as(Files.readString(output)).isZero();
            assertThat(Files.readAllLines(table).getLast())
                    .startsWith("foreign-origin\tforeign-page\t")
                    .endsWith("the WebSocket opened for a page of https://elsewhere.example");
        } finally {
            holes.destroy();
        }
    }
}
