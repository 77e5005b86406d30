package io.sealbook.books.table;

import io.sealbook.engine.reports.FiledBlock;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.vocabulary.OperatingFailureException;
import java.nio.file.Path;

/**
 * Whether reports that a reader relies on have been cut off: an engine that starts cuts them back to its snapshot, and
 * makes them again. It names the block of its snapshot before it cuts. A reader that asks at the end of each broker's
 * files notices a cut also if the reports are complete again before the last broker's are read. Any thread.
 */
public final class CutReports {
    private static final long NONE = 0;

    private final Path reports;
    private volatile long needed = NONE;

    /** @param directory of the node */
    public CutReports(Path directory) {
        this.reports = new EngineDirectory(directory).reports();
    }

    /**
     * Relies on reports from now on.
     *
     * @param block up to which all reports are filed
     */
    public void need(long block) {
        needed = block;
    }

    /** @throws OperatingFailureException if reports of blocks that are needed have been cut off */
    public void check() {
        if (needed == NONE) {
            return;
        }
        long filed = FiledBlock.named(reports).orElse(Long.MAX_VALUE);
        if (filed < needed) {
            throw new OperatingFailureException("reports: an engine has started and cut them back to block " + filed
                    + ", expected all up to block " + needed + "; try again when it has made them");
        }
    }
}
