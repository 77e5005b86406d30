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

/** The siege as an operator runs it finds nothing. */
class SiegeIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldFindNothing() throws Exception {
        Path home = Home.find();
        Path output = directory.resolve("siege.log");
        Path findings = directory.resolve("siege.json");
        Process siege = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        LocalCluster.jar(home, "perf").toString(),
                        "siege",
                        "--home=" + home,
                        "--dir=" + directory.resolve("siege"),
                        "--json=" + findings)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            int exitCode = siege.waitFor();
            assertThat(exitCode).as(Files.readString(output)).isZero();
            assertThat(Files.readString(findings)).contains("honest-brokers");
        } finally {
            siege.destroy();
        }
    }
}
