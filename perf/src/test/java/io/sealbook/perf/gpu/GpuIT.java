package io.sealbook.perf.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.perf.cluster.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The measurement as it runs on a machine with a device: the built jar in a process, on the driver that stands in for
 * NVIDIA's in the tests of gpu-native. A folder without a driver is a machine without a device.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class GpuIT {
    private static final String DRIVER = "gpu-native/target/stand-in";

    @TempDir
    private Path directory;

    private record Output(int exitCode, String text) {}

    @Test
    void shouldMeasureEverythingOnce() throws Exception {
        Path driver = Home.find().resolve(DRIVER);
        assumeTrue(
                Files.exists(driver.resolve("libcuda.so.1")),
                "needs gcc, needs g++, needs Linux on x86-64: the tests of gpu-native make the stand-in driver");

        Output output = gpu(
                driver,
                "--signatures=96",
                "--keys=3",
                "--sizes=32,200",
                "--blocks=32",
                "--lanes=1,2",
                "--windows=5:4",
                "--threads=1,2",
                "--batches=32",
                "--millis=1");

        assertThat(output.exitCode).as(output.text).isZero();
        assertThat(output.text)
                .contains(
                        "Stand-in device",
                        "96 mixed signatures compared: 0 wrong",
                        "| known keys | 32 | 32 |",
                        "| known keys | 200 | 32 |",
                        "| any keys | 32 | 32 |",
                        "| any keys | 200 | 32 |",
                        "| gpu | 2 | 32 |",
                        "| bc | 1 | 32 |")
                .contains("known_key_signatures=64, any_key_signatures=104");
    }

    @Test
    void shouldEndWithItsOwnCodeWithoutADevice() throws Exception {
        // A file that is no library: also a machine with a driver has none here.
        Files.writeString(directory.resolve("libcuda.so.1"), "no driver");

        Output output = gpu(directory, "--signatures=8");

        assertThat(output.exitCode).as(output.text).isEqualTo(3);
        assertThat(output.text).contains("Nothing to measure: ");
    }

    @Test
    void shouldNameAWrongOption() throws Exception {
        Output output = gpu(directory, "--windows=9");

        assertThat(output.exitCode).isEqualTo(1);
        assertThat(output.text).contains("--windows=9 is not GENERATOR:KEYS").doesNotContain("\tat ");
    }

    private static Output gpu(Path driver, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                Home.find().resolve("perf/target/perf.jar").toString(),
                "gpu"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LD_LIBRARY_PATH", driver.toString());
        Process process = builder.start();
        try {
            String text = new String(process.getInputStream().readAllBytes());
            return new Output(process.waitFor(), text);
        } finally {
            process.destroy();
        }
    }
}
