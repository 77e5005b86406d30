package io.sealbook.perf.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.Facts;
import io.sealbook.perf.cluster.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The quick start as a newcomer runs it: the built jar, a process of its own, real or synthetic flow, the exit code.
 */
class QuickstartIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldCommitTheFlowOnAllNodesAndAgreeWithTheOracle() throws Exception {
        Path log = directory.resolve("quickstart.log");

        int exitCode = quickstart(log, "--exit", "--limit", "20000");

        String text = Files.readString(log);
        assertThat(text)
                .contains("All result digests are equal.")
                .doesNotContain("ORACLE DIFFERS")
                .doesNotContain("FAILED");
        assertThat(text.lines().filter(line -> line.contains("oracle agrees"))).hasSize(4);
        assertThat(exitCode).as(text).isZero();
    }

    /** The program that README shows, as it is, for a broker whose flow the quick start replays and judges. */
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldServeTheProgramOfTheReadmeBesideTheFlow() throws Exception {
        Path log = directory.resolve("quickstart.log");
        Path output = directory.resolve("sample.log");
        Process quickstart = start(log, "--pace", "500", "--limit", "10000");
        try {
            Facts.await(
                    "the first line of progress", () -> Files.readString(log).contains("orders in "));
            String broker = directory.resolve("cluster/broker1").toString();
            Process sample =
                    java(output, "-cp", perfJar().toString(), "io.sealbook.client.sample.SampleBroker", broker);

            assertThat(sample.waitFor()).as(Files.readString(output)).isZero();
            assertThat(Files.readString(output)).contains(" NEW, ", " REPLACED, ", " CANCELED, ");
            assertThat(directory.resolve("cluster/node0/evidence")).isDirectoryNotContaining("glob:**equivocation*");
            Facts.await("the verdicts", () -> verdicts(log).size() == 4);
            assertThat(verdicts(log)).allMatch(line -> line.contains("oracle agrees"));
        } finally {
            end(quickstart);
        }
    }

    private static List<String> verdicts(Path log) throws IOException {
        return Files.readString(log)
                .lines()
                .filter(line -> line.contains("oracle agrees") || line.contains("ORACLE DIFFERS"))
                .toList();
    }

    /** Beyond four nodes f is 2: other quorums, other thresholds of receipts and reports. */
    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void shouldAgreeInALargerCluster() throws Exception {
        agree(7);
    }

    /** With f of 3 and 4. */
    @ParameterizedTest
    @Tag("long")
    @ValueSource(ints = {10, 13})
    @Timeout(value = 40, unit = TimeUnit.MINUTES)
    void shouldAgreeInTheLargestClusters(int nodes) throws Exception {
        agree(nodes);
    }

    private void agree(int nodes) throws Exception {
        Path log = directory.resolve("quickstart.log");

        int exitCode = quickstart(log, "--exit", "--limit", "500", "--nodes", Integer.toString(nodes));

        String text = Files.readString(log);
        assertThat(text).contains("All result digests are equal.");
        assertThat(text.lines().filter(line -> line.matches("Node \\d+: block .*")))
                .hasSize(nodes);
        assertThat(exitCode).as(text).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 14})
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void shouldRefuseClustersThatAreTooSmallOrTooLarge(int nodes) throws Exception {
        Path log = directory.resolve("refused.log");

        int exitCode = quickstart(log, "--exit", "--nodes", Integer.toString(nodes));

        assertThat(exitCode).isEqualTo(2);
        assertThat(Files.readString(log)).contains("--nodes is " + nodes + ", expected 4..13");
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void shouldNameTheFlowFileThatItCannotRead() throws Exception {
        Path log = directory.resolve("refused.log");
        Path flow = Files.writeString(directory.resolve("flow.csv"), "price,quantity\n1,2\n");

        int exitCode = quickstart(log, "--exit", "--flow", flow.toString());

        assertThat(exitCode).isNotZero();
        assertThat(Files.readString(log)).contains("is neither a LOBSTER message file nor a Shanghai flow file");
    }

    private int quickstart(Path log, String... options) throws IOException, InterruptedException {
        Process process = start(log, options);
        try {
            return process.waitFor();
        } finally {
            end(process);
        }
    }

    private Process start(Path log, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-jar", perfJar().toString(), "quickstart"));
        arguments.addAll(List.of(
                "--base-port", "0", "--dir", directory.resolve("cluster").toString()));
        arguments.addAll(List.of(options));
        return java(log, arguments.toArray(String[]::new));
    }

    private static Process java(Path log, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Dsun.misc.unsafe.memory.access=allow"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static Path perfJar() {
        return Home.find().resolve("perf/target/perf.jar");
    }

    private static void end(Process process) throws InterruptedException {
        process.destroy();
        process.waitFor(30, TimeUnit.SECONDS);
    }
}
