package io.sealbook.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.cluster.LocalCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A few faults of a fixed seed with the built jar, as an operator runs it. */
class ShortRunIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldKeepEveryPromiseInSplitMembers() throws Exception {
        keepEveryPromise(
                "--shape",
                "split",
                "--faults",
                "byzantine,kill,pause,joint",
                "--lies",
                "equivocate",
                "--fault-limit",
                "4");
        findWhatIsChangedAfterwards(directory.resolve("run"));
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void shouldKeepEveryPromiseInReplicas() throws Exception {
        keepEveryPromise("--shape", "replica", "--faults", "engine,kill,partition,loss", "--fault-limit", "4");
    }

    /** Changes the files of a right run: each change must be found, and nothing without one. */
    private void findWhatIsChangedAfterwards(Path run) throws Exception {
        assertThat(audit(run)).as(log()).isZero();

        Path ledger = run.resolve("broker1/ledger-0001");
        List<String> lines = Files.readAllLines(ledger);
        Files.write(
                ledger,
                lines.stream()
                        .map(line -> line.startsWith("receipt ") ? line.replaceFirst(" [0-9a-f]+$", " 00") : line)
                        .toList());
        assertThat(audit(run)).isEqualTo(1);
        assertThat(log()).contains("VIOLATION SAME_PLACE").doesNotContain("REAL_TIME");
        Files.write(ledger, lines);

        Path newest;
        try (Stream<Path> files = Files.list(run.resolve("cluster/node2/archive"))) {
            newest = files.filter(file -> file.toString().endsWith(".blocks"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
        byte[] blocks = Files.readAllBytes(newest);
        Files.write(newest, Arrays.copyOf(blocks, blocks.length / 2));
        assertThat(audit(run)).as(log()).isNotZero();
        Files.write(newest, blocks);
        assertThat(audit(run)).as(log()).isZero();
    }

    private int audit(Path run) throws Exception {
        return chaos(List.of("audit", run.toString()));
    }

    private String log() throws IOException {
        return Files.readString(directory.resolve("chaos.log"));
    }

    private void keepEveryPromise(String... options) throws Exception {
        Path run = directory.resolve("run");
        List<String> arguments = new ArrayList<>(
                List.of("run", "--seed", "7", "--minutes", "40", "--calm-seconds", "1", "--dir", run.toString()));
        arguments.addAll(List.of(options));

        int exitCode = chaos(arguments);

        String log = Files.readString(directory.resolve("chaos.log"));
        assertThat(exitCode).as(log).isZero();
        JsonObject report = JsonParser.parseString(Files.readString(run.resolve("report.json")))
                .getAsJsonObject();
        assertThat(report.getAsJsonArray("faults")).as(log).hasSize(Integer.parseInt(options[options.length - 1]));
        assertThat(report.getAsJsonArray("faults"))
                .allSatisfy(fault -> assertThat(
                                fault.getAsJsonObject().get("hasTakenEffect").getAsBoolean())
                        .isTrue());
        assertThat(report.getAsJsonObject("load").get("acknowledgedOrders").getAsLong())
                .isPositive();
        assertThat(report.getAsJsonArray("violations")).isEmpty();
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldRefuseADirectoryWithTheEvidenceOfAnEarlierRun() throws Exception {
        Path run = Files.createDirectory(directory.resolve("run"));
        Files.writeString(run.resolve("VIOLATIONS"), "ACKNOWLEDGED_IS_KEPT: batch 1\n");

        int exitCode = chaos(List.of("run", "--dir", run.toString()));

        assertThat(exitCode).isNotZero();
        assertThat(Files.readString(directory.resolve("chaos.log"))).contains("has the evidence of an earlier run");
        assertThat(run.resolve("VIOLATIONS")).exists();
    }

    /** Its nodes end at once, because their jar is that of another program. */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void shouldKeepTheEvidenceOfARunThatDoesNotComeToItsEnd() throws Exception {
        Path home = directory.resolve("home");
        copy(home, "consensus-node", "consensus-node");
        copy(home, "block-archive", "block-archive");
        copy(home, "replica", "block-archive");
        Path run = directory.resolve("run");
        List<String> arguments = List.of(
                "run", "--home", home.toString(), "--dir", run.toString(), "--shape", "replica", "--faults", "kill");

        assertThat(chaos(arguments)).isNotZero();

        assertThat(run.resolve("VIOLATIONS"))
                .content()
                .startsWith("the run did not come to its end: ")
                .containsPattern("node \\d ended by itself");
        assertThat(audit(run)).isEqualTo(1);
        assertThat(log()).contains("the run did not come to its end: ");
        assertThat(chaos(arguments)).isNotZero();
        assertThat(log()).contains("has the evidence of an earlier run");
    }

    private static void copy(Path home, String module, String built) throws IOException {
        Path target = Files.createDirectories(home.resolve(module).resolve("target"));
        Files.copy(LocalCluster.jar(Home.find(), built), target.resolve(module + ".jar"));
    }

    /**
     * The first fault of this seed kills a node for 301 ms: while the run ends, it starts this one, and all that its
     * end has stopped.
     */
    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void shouldLeaveNoProcessIfItIsEnded() throws Exception {
        Path run = directory.resolve("run");
        List<String> arguments =
                List.of("run", "--seed", "6355", "--dir", run.toString(), "--shape", "replica", "--faults", "kill");
        Process process = command(arguments).start();
        List<String> said = new ArrayList<>();
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
                if (line.contains("fault 1: ")) {
                    // Process.destroy() would close the stream.
                    process.toHandle().destroy();
                }
            }
        } finally {
            end(process);
        }

        List<ProcessHandle> left = ProcessHandle.allProcesses()
                .filter(each -> each.info().commandLine().stream().anyMatch(line -> line.contains(run.toString())))
                .toList();
        left.forEach(ProcessHandle::destroyForcibly);
        assertThat(said).anyMatch(line -> line.contains("fault 1: "));
        assertThat(left).as(String.join("\n", said)).isEmpty();
        assertThat(run.resolve("VIOLATIONS")).doesNotExist();
    }

    private int chaos(List<String> arguments) throws IOException, InterruptedException {
        Process process = command(arguments)
                .redirectOutput(directory.resolve("chaos.log").toFile())
                .start();
        try {
            return process.waitFor();
        } finally {
            end(process);
        }
    }

    /** By SIGTERM, so that the processes of the cluster end with it. */
    private static void end(Process chaos) throws InterruptedException {
        chaos.destroy();
        chaos.waitFor();
    }

    private static ProcessBuilder command(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                LocalCluster.jar(Home.find(), "chaos").toString()));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectErrorStream(true);
    }
}
