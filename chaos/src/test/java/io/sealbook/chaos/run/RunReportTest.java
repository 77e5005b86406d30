package io.sealbook.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.chaos.fault.FaultEvent;
import io.sealbook.chaos.fault.FaultKind;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.chaos.liar.Lie;
import io.sealbook.perf.cluster.NodeShape;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunReportTest {
    private static final FaultEvent STRUCK = new FaultEvent(FaultKind.KILL, "node1", 1, 2, true, 3);
    private static final FaultEvent IDLE = new FaultEvent(FaultKind.KILL, "node1", 1, 2, false, 3);

    private final Findings findings = new Findings();

    @Test
    void shouldNotBeCleanIfNoFaultHasTakenEffect() {
        assertThat(report(1_000, IDLE).isClean()).isFalse();
        assertThat(report(1_000).isClean()).isFalse();
        assertThat(printed(report(1_000, IDLE)))
                .contains("No fault has taken effect")
                .doesNotContain("Every promise was kept");
    }

    @Test
    void shouldBeCleanIfAFaultHasTakenEffect() {
        RunReport report = report(1_000, IDLE, STRUCK);

        assertThat(report.isClean()).isTrue();
        assertThat(printed(report)).endsWith("Every promise was kept.\n");
    }

    @Test
    void shouldBeCleanWithoutFaultsIfNoneWasAskedFor() {
        assertThat(report(0).isClean()).isTrue();
        assertThat(printed(report(0))).endsWith("Every promise was kept.\n");
    }

    @Test
    void shouldPrintThatAPromiseWasBrokenWithoutAFault() {
        findings.add(Rule.LIVENESS, "broker 1 waits");

        assertThat(report(1_000).isClean()).isFalse();
        assertThat(printed(report(1_000))).endsWith("Promises were broken; the files are evidence.\n");
    }

    private RunReport report(int faultsMax, FaultEvent... events) {
        RunPlan plan = new RunPlan(
                Path.of("home"),
                Path.of("run"),
                1,
                1_000,
                faultsMax,
                0,
                NodeShape.REPLICA,
                4,
                1,
                40,
                List.of(FaultKind.KILL),
                List.of(Lie.values()),
                0);
        List<FaultEvent> all = List.of(events);
        return new RunReport(
                plan,
                findings,
                all,
                new LoadSummary(1, 1, 1, 0, 1, 1, 1),
                new LoadTimeline(Map.of(), all, 0, 1_000_000_000));
    }

    private static String printed(RunReport report) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        report.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
