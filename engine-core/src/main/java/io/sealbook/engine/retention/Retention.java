package io.sealbook.engine.retention;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.engine.intake.QueueFiles;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Deletes files that are no longer needed, whenever a snapshot has been written.
 *
 * <pre>
 *   files           needed by                                           kept beyond that
 *   queue/blocks    a start from the older of the two snapshots         queue.keep-blocks
 *   queue/results   that start, which compares; the node's checkpoints  queue.keep-blocks, at least two log windows
 *   reports         that start; brokers who resume                      reports.keep-blocks
 *   journal         that start; the database                            nothing
 * </pre>
 *
 * <p>Whole files go, so that a little more than the limit stays. Applied by the journal's thread; the figures are read
 * by any.
 */
public final class Retention {
    /** A kind of file that is deleted. */
    private enum Kind {
        BLOCKS,
        RESULTS,
        REPORTS,
        JOURNAL
    }

    private final QueueFiles blocks;
    private final QueueFiles results;
    private final ReportStores reports;
    private final ExecutionJournal journal;
    private final long keptQueueBlocks;
    private final long keptResults;
    private final long keptReportBlocks;
    private final Map<Kind, Counter> deleted = new EnumMap<>(Kind.class);

    /**
     * Makes the rule; deletes nothing before {@link #apply}.
     *
     * @param directory locked by this process
     * @param settings how many blocks are kept
     * @param logWindow maximum number of blocks between a node's last checkpoint and its last result
     * @param reports whose old files are deleted
     * @param journal whose old files are deleted
     * @param registry gets the figures
     */
    public Retention(
            EngineDirectory directory,
            EngineSettings settings,
            int logWindow,
            ReportStores reports,
            ExecutionJournal journal,
            MeterRegistry registry) {
        this.blocks = QueueFiles.ofBlocks(directory.blocks());
        this.results = QueueFiles.ofResults(directory.results());
        this.reports = reports;
        this.journal = journal;
        this.keptQueueBlocks = settings.queue().keepBlocks();
        this.keptResults = Math.max(keptQueueBlocks, 2L * logWindow);
        this.keptReportBlocks = settings.reports().keepBlocks();
        for (Kind kind : Kind.values()) {
            String name = kind.name().toLowerCase(Locale.ROOT);
            deleted.put(
                    kind,
                    Counter.builder("sealbook.engine.deleted.files")
                            .description("How many files that were no longer needed were deleted?")
                            .tag("kind", name)
                            .register(registry));
        }
        Gauge.builder("sealbook.engine.queue.bytes", blocks::bytes)
                .description("How large are the files of the queue of blocks, holes included?")
                .register(registry);
    }

    /**
     * Deletes files that are no longer needed after a snapshot.
     *
     * @param lastBlock the new snapshot's block
     * @param older the snapshot before it, which is kept beside it
     * @param persistedBlock last block that every follower of the journal has read and will not lose
     */
    public void apply(long lastBlock, RestartPoint older, long persistedBlock) {
        long block = older.block();
        count(Kind.BLOCKS, blocks.pruneBefore(Math.min(block, lastBlock - keptQueueBlocks)));
        count(Kind.RESULTS, results.pruneBefore(Math.min(block, lastBlock - keptResults)));
        count(Kind.REPORTS, reports.pruneBefore(lastBlock - keptReportBlocks, older.reportSequences()));
        count(Kind.JOURNAL, journal.pruneBefore(Math.min(block - 1, persistedBlock)));
    }

    private void count(Kind kind, int files) {
        deleted.get(kind).increment(files);
    }
}
