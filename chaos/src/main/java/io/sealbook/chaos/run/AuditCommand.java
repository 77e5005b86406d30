package io.sealbook.chaos.run;

import io.sealbook.chaos.audit.HistoryAudit;
import io.sealbook.chaos.audit.RunDirectory;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.History;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Judges the files of a finished run again. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = "Judges the files of a finished run again: ledgers, archives and stored reports."
                + " Exit code 0 if every promise was kept, 1 if one was broken.")
public final class AuditCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "Directory of the run.")
    private Path directory;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException {
        Findings findings = new Findings();
        History history = HistoryAudit.judge(new RunDirectory(directory), findings);
        new LoadSummary(history).print(out);
        RunReport.print(findings, out);
        return findings.violations().isEmpty() ? 0 : 1;
    }
}
