package io.sealbook.chaos.run;

import io.sealbook.chaos.audit.HistoryAudit;
import io.sealbook.chaos.audit.RunDirectory;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.History;
import io.sealbook.chaos.history.Violation.Rule;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Judges the files of a finished run again. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description =
                "Judges the files of a finished run again: ledgers, archives, evidence, stored reports and states of"
                        + " engines, and whether they are all that the run recorded in report.json."
                        + " Exit code 0 if every promise was kept, 1 if one was broken, if the run itself left a file"
                        + " VIOLATIONS, or if the files cannot be judged.")
public final class AuditCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "Directory of the run.")
    private Path directory;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException {
        List<String> foundByRun = new Evidence(directory).lines();
        if (!foundByRun.isEmpty()) {
            out.println("The run itself has found:");
            foundByRun.forEach(out::println);
            out.println();
        }
        Findings findings = new Findings();
        try {
            History history = HistoryAudit.judge(new RunDirectory(directory), findings);
            new LoadSummary(history).print(out);
            judgeWhetherAllIsThere(history, findings);
        } finally {
            RunReport.print(findings, out);
        }
        boolean isClean = foundByRun.isEmpty() && findings.violations().isEmpty();
        RunReport.printVerdict(isClean, out);
        return isClean ? 0 : 1;
    }

    private void judgeWhetherAllIsThere(History history, Findings findings) throws IOException {
        Optional<RecordedRun> recorded = RecordedRun.read(directory);
        if (recorded.isPresent()) {
            recorded.get().check(new RunDirectory(directory), history, findings);
        } else {
            findings.add(
                    Rule.WHOLE_RUN,
                    RunReport.FILE_NAME + " is missing: the run did not come to its end, or files are lost");
        }
    }
}
