package io.sealbook.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.chaos.audit.HistoryAudit;
import io.sealbook.chaos.audit.RunDirectory;
import io.sealbook.chaos.audit.SampleArchive;
import io.sealbook.chaos.fault.FaultKind;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.liar.Lie;
import io.sealbook.perf.cluster.NodeShape;
import io.sealbook.perf.cluster.WorkDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The files of a run of two members without brokers' ledgers: each change of a right one is found. */
class AuditCommandTest {
    private static final String RIGHT = "last_executed: 3 result_digest: \"\\001\" reports: 0";

    @TempDir
    private Path run;

    private final PrintStream systemOut = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void writeARightRun() throws IOException {
        SampleArchive archives = new SampleArchive();
        for (int node = 0; node < 2; node++) {
            archives.write(archive(node), SampleArchive.BLOCKS, 0);
        }
        writeEngines(RIGHT, RIGHT);
        writeReport(0);
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restoreOutput() {
        System.setOut(systemOut);
    }

    @Test
    void shouldFindNothingInARightRun() {
        assertThat(audit()).isZero();
        assertThat(printed()).endsWith("Every promise was kept.\n");
    }

    @Test
    void shouldFindEnginesThatDiffer() throws IOException {
        writeEngines(RIGHT, RIGHT.replace("001", "002"));

        assertThat(audit()).isEqualTo(1);
        assertThat(printed())
                .contains("VIOLATION SAME_EVERYWHERE: engine 0 has 0 reports and result digest 01", "digest 02")
                .doesNotContain("Every promise was kept");
    }

    @Test
    void shouldFindReportsThatAreNotStored() throws IOException {
        writeEngines(RIGHT.replace("reports: 0", "reports: 5"), RIGHT.replace("reports: 0", "reports: 5"));

        assertThat(audit()).isEqualTo(1);
        assertThat(printed()).contains("VIOLATION LIVENESS: engine 0 has 5 reports", "of which 0 were read");
    }

    @Test
    void shouldFindThatARunEndedBeforeItsEnginesWereEqual() throws IOException {
        Files.delete(run.resolve("engines"));

        assertThat(audit()).isEqualTo(1);
        assertThat(printed()).contains("VIOLATION LIVENESS: no states of engines are stored");
    }

    @Test
    void shouldRepeatWhatTheRunItselfHasFound() throws IOException {
        Files.writeString(run.resolve("VIOLATIONS"), "DOCUMENTED_BEHAVIOUR: node 1 ended by itself\n");

        assertThat(audit()).isEqualTo(1);
        assertThat(printed())
                .contains("DOCUMENTED_BEHAVIOUR: node 1 ended by itself")
                .doesNotContain("Every promise was kept");
    }

    @Test
    void shouldFindADamagedBlock() throws IOException {
        SampleArchive.damage(archive(0), 2);

        assertThat(audit()).isEqualTo(1);
        assertThat(printed()).contains("VIOLATION SAME_EVERYWHERE: block 2 differs: ", "3 blocks");
    }

    @Test
    void shouldFindEvidenceOfAMemberThatToldNoLie() throws IOException {
        lie(0);
        keepEvidence(1, "double-vote-2-0");

        assertThat(audit()).isEqualTo(1);
        assertThat(printed()).contains("VIOLATION SIGNED_ONCE: node1 keeps evidence/double-vote-2-0");
    }

    @Test
    void shouldFindEvidenceOfABroker() throws IOException {
        lie(0);
        keepEvidence(1, "equivocation-1-0");

        assertThat(audit()).isEqualTo(1);
        assertThat(printed()).contains("VIOLATION SIGNED_ONCE: node1 keeps evidence/equivocation-1-0");
    }

    @Test
    void shouldTakeEvidenceOfALiar() throws IOException {
        keepEvidence(1, "double-vote-0-0", "new-double-vote-0-1", "lock");
        assertThat(audit()).isEqualTo(1);

        lie(0);

        assertThat(audit()).isZero();
    }

    @Test
    void shouldPrintWhatWasFoundBeforeAFileThatCannotBeRead() throws IOException {
        SampleArchive.damage(archive(0), 2);
        writeEngines("no state of an engine");

        assertThat(audit()).isNotZero();
        assertThat(printed())
                .contains("VIOLATION SAME_EVERYWHERE: block 2 differs: ")
                .doesNotContain("Every promise was kept");
    }

    @Test
    void shouldRefuseADirectoryThatNoRunHasMade() throws IOException {
        Path empty = Files.createDirectory(run.resolve("empty"));

        assertThat(audit(empty)).isNotZero();
        assertThat(printed()).doesNotContain("Every promise was kept");
    }

    @Test
    void shouldFindThatTheReportOfTheRunIsGone() throws IOException {
        Files.delete(run.resolve("report.json"));

        assertThat(audit()).isEqualTo(1);
        assertThat(printed()).contains("VIOLATION WHOLE_RUN: report.json is missing");
    }

    @Test
    void shouldRefuseAReportThatCannotBeRead() throws IOException {
        Files.writeString(run.resolve("report.json"), "{\"nodes\": 2");

        assertThat(audit()).isNotZero();
        assertThat(printed()).doesNotContain("Every promise was kept");
    }

    @Test
    void shouldFindThatTheLedgersOfABrokerAreGone() throws IOException {
        writeReport(1);

        assertThat(audit()).isEqualTo(1);
        assertThat(printed()).contains("VIOLATION WHOLE_RUN: ledgers of 0 brokers are there, the run had 1");
    }

    @Test
    void shouldFindThatTheFilesOfANodeAreGone() throws IOException {
        WorkDirectory.delete(run.resolve("cluster/node1"));

        assertThat(audit()).isEqualTo(1);
        assertThat(printed()).contains("VIOLATION WHOLE_RUN: 1 archives are there, the run had 2 nodes");
    }

    /** Blocks that all nodes have lost alike, as the files of an older run have, break no promise that ledgers show. */
    @Test
    void shouldFindThatAllFilesHoldLessThanTheRunRecorded() throws IOException {
        SampleArchive archives = new SampleArchive();
        for (int node = 0; node < 2; node++) {
            WorkDirectory.delete(archive(node));
            archives.write(archive(node), SampleArchive.BLOCKS - 1, 0);
        }

        assertThat(audit()).isEqualTo(1);
        assertThat(printed()).contains("VIOLATION WHOLE_RUN: the files show ");
    }

    /** Writes the report that the run of two nodes would have written of its files. */
    private void writeReport(int brokers) throws IOException {
        RunPlan plan = new RunPlan(
                Path.of("home"),
                run,
                1,
                1_000,
                1,
                0,
                NodeShape.REPLICA,
                2,
                brokers,
                40,
                List.of(FaultKind.KILL),
                List.of(Lie.values()),
                0);
        LoadSummary load = new LoadSummary(HistoryAudit.judge(new RunDirectory(run), new Findings()));
        new RunReport(plan, new Findings(), List.of(), load, new LoadTimeline(Map.of(), List.of(), 0, 1_000_000_000))
                .write(run);
    }

    private int audit() {
        return audit(run);
    }

    private static int audit(Path directory) {
        return new CommandLine(new AuditCommand())
                .setExecutionExceptionHandler((failure, command, result) -> CommandLine.ExitCode.SOFTWARE)
                .execute(directory.toString());
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private Path archive(int node) {
        return run.resolve("cluster/node" + node + "/archive");
    }

    /** Lets a member have told a lie. */
    private void lie(int node) throws IOException {
        Files.createFile(run.resolve("cluster/node" + node + "/has-lied"));
    }

    private void keepEvidence(int node, String... names) throws IOException {
        Path evidence = Files.createDirectory(run.resolve("cluster/node" + node + "/evidence"));
        for (String name : names) {
            Files.createFile(evidence.resolve(name));
        }
    }

    private void writeEngines(String... states) throws IOException {
        Files.write(run.resolve("engines"), List.of(states));
    }
}
