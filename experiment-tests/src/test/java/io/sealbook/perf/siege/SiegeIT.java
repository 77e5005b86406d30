package io.sealbook.perf.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.cluster.LocalCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The siege as an operator runs it finds nothing. */
class SiegeIT {
    @TempDir
    private Path directory;

    @Test
    @Tag("long")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldFindNothing() throws Exception {
        besiege();
    }

    /** Attacks that make no load and wait for no limit of time. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldFindNothingByAskingAtEachDoor() throws Exception {
        besiege("--attacks=gateway-roles,engine-roles,http-roles,admin-roles,path-spelling,foreign-page,strangers,"
                + "wrong-batches,equivocation,transactions");
    }

    private void besiege(String... options) throws Exception {
        Path home = Home.find();
        Path output = directory.resolve("siege.log");
        Path findings = directory.resolve("siege.json");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                LocalCluster.jar(home, "perf").toString(),
                "siege",
                "--home=" + home,
                "--dir=" + directory.resolve("siege"),
                "--json=" + findings));
        command.addAll(List.of(options));
        Process siege = new ProcessBuilder(command)
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
