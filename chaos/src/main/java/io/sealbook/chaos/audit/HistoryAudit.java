package io.sealbook.chaos.audit;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.History;
import io.sealbook.chaos.history.HistoryChecker;
import java.io.IOException;

/** Judges the files of a run whose processes have ended. */
public final class HistoryAudit {
    private HistoryAudit() {}

    /**
     * Reads ledgers, archives and stored reports, and judges them.
     *
     * @param directory of the run
     * @param findings takes what is wrong
     * @return what was judged
     */
    public static History judge(RunDirectory directory, Findings findings) throws IOException {
        History history = new History(
                directory.ledgers(), ChainReader.read(directory.archives(), findings), directory.storedReports());
        HistoryChecker.check(history, findings);
        return history;
    }
}
