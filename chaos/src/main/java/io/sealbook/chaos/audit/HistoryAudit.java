package io.sealbook.chaos.audit;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.History;
import io.sealbook.chaos.history.HistoryChecker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Judges the files of a run whose processes have ended. */
public final class HistoryAudit {
    private HistoryAudit() {}

    /**
     * Reads ledgers, archives, names of evidence, stored reports and states of engines, and judges them. The auditor's
     * tool verifies the archives if the genesis file is there.
     *
     * @param directory of the run
     * @param findings takes what is wrong
     * @return what was judged
     * @throws IOException if there is no archive, or a file that the run itself wrote cannot be read
     */
    public static History judge(RunDirectory directory, Findings findings) throws IOException {
        List<Path> archives = directory.archives();
        if (archives.isEmpty()) {
            throw new IOException(directory.root() + " has no archive: it is no directory of a run");
        }
        History history =
                new History(directory.ledgers(), ChainReader.read(archives, findings), directory.storedReports());
        HistoryChecker.check(history, findings);
        KeptEvidence.judge(directory.nodes(), findings);
        EngineComparison.compare(directory.storedEngines(), history, findings);
        if (Files.exists(directory.genesis())) {
            VerifiedArchives.judge(directory.genesis(), archives, findings);
        }
        return history;
    }
}
