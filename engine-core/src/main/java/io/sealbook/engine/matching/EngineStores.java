package io.sealbook.engine.matching;

import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.rebuild.EngineRebuild;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.retention.Retention;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.engine.snapshot.SnapshotStore;

/**
 * The files that an engine writes for itself. A start reads all of them; what they hold beyond the starting point is
 * cut.
 *
 * @param retention deletes files that are no longer needed
 * @param rebuild decides whether a start has to begin further back
 */
public record EngineStores(
        SnapshotStore snapshots,
        ReportStores reports,
        ExecutionJournal journal,
        Retention retention,
        EngineRebuild rebuild)
        implements AutoCloseable {
    /**
     * Opens the files of an engine.
     *
     * @param files of the engine, locked by this process
     * @param market instruments and brokers of the genesis file
     * @param settings of the engine
     * @param journal open; the caller's if this method fails, else closed with the others
     * @param registry gets the figures of the retention
     */
    public static EngineStores open(
            EngineDirectory files,
            AgreedMarket market,
            EngineSettings settings,
            ExecutionJournal journal,
            MeterRegistry registry) {
        SnapshotStore snapshots = new SnapshotStore(files.snapshots(), market.genesisDigest(), settings.durability());
        EngineRebuild rebuild = new EngineRebuild(files, settings.isDatabaseFed());
        ReportStores reports = new ReportStores(
                files.reports(), market.brokerIds(), settings.reports().perSegment(), settings.durability());
        int logWindow = market.genesis().getParameters().getLogWindow();
        Retention retention = new Retention(files, settings, logWindow, reports, journal, registry);
        return new EngineStores(snapshots, reports, journal, retention, rebuild);
    }

    @Override
    public void close() {
        journal.close();
        reports.close();
    }
}
