package io.sealbook.perf.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.perf.cluster.Home;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        Path driver = standIn();

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

    /** What a machine lent for ten minutes runs: a part that cannot run and a lack of time cost only themselves. */
    @Test
    void shouldKeepWhatItHasMeasuredWhenAPartFails() throws Exception {
        Path driver = standIn();
        Path kept = directory.resolve("kept");

        Output output = run(
                Map.of(
                        "LD_LIBRARY_PATH", driver.toString(),
                        "JAVA_HOME", System.getProperty("java.home"),
                        "OUT", kept.toString()),
                List.of(
                        "bash",
                        Home.find().resolve("perf/gpu/measure.sh").toString(),
                        "built",
                        "--signatures=96",
                        "--keys=3",
                        "--sizes=32",
                        "--blocks=32",
                        "--lanes=1",
                        "--windows=5:4,99:4,4:4",
                        "--threads=1",
                        "--batches=32",
                        "--millis=1"));

        assertThat(output.exitCode).as(output.text).isEqualTo(1);
        assertThat(output.text).contains("FAILED kernels-99-4: exit code 1").doesNotContain("FAILED kernels-4-4");
        assertThat(kept.resolve("verdicts.md")).content().contains("96 mixed signatures compared: 0 wrong");
        assertThat(kept.resolve("verifiers.md")).content().contains("| gpu | 1 | 32 |", "| bc | 1 | 32 |");
        assertThat(kept.resolve("kernels-5-4.md")).content().contains("| known keys | 32 | 32 |");
        assertThat(kept.resolve("kernels-4-4.md")).content().contains("| any keys | 32 | 32 |");
    }

    @Test
    void shouldGoOnAfterADeviceThatLies() throws Exception {
        Path fault = Files.writeString(directory.resolve("fault"), "");
        Path driver = standIn();
        List<String> command =
                gpuCommand("--signatures=96", "--keys=3", "--windows=5:4", "--threads=1", "--batches=32", "--millis=1");
        command.add("--parts=verdicts,verifiers");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LD_LIBRARY_PATH", driver.toString());
        builder.environment().put("SEALBOOK_STAND_IN_FAULT", fault.toString());
        Process process = builder.start();
        try (BufferedReader lines = process.inputReader()) {
            StringBuilder text = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                text.append(line).append('\n');
                if (line.startsWith("96 signatures under")) {
                    Files.writeString(fault, "wrong-verdict");
                }
            }
            assertThat(process.waitFor()).as(text.toString()).isEqualTo(1);
            assertThat(text).contains("FAILED verdicts: ", "| jni | 1 | 32 |", "FAILED verifiers: ");
        } finally {
            process.destroy();
        }
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

    private static Path standIn() {
        Path driver = Home.find().resolve(DRIVER);
        assumeTrue(
                Files.exists(driver.resolve("libcuda.so.1")),
                "needs gcc, needs g++, needs Linux on x86-64: the tests of gpu-native make the stand-in driver");
        return driver;
    }

    private static List<String> gpuCommand(String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                Home.find().resolve("perf/target/perf.jar").toString(),
                "gpu"));
        command.addAll(List.of(options));
        return command;
    }

    private static Output gpu(Path driver, String... options) throws IOException, InterruptedException {
        return run(Map.of("LD_LIBRARY_PATH", driver.toString()), gpuCommand(options));
    }

    private static Output run(Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            String text = new String(process.getInputStream().readAllBytes());
            return new Output(process.waitFor(), text);
        } finally {
            process.destroy();
        }
    }
}
