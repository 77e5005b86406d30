package io.sealbook.engine.matching;

import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.rebuild.EngineRebuild;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.retention.Retention;
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
        EngineRebuild rebuild) {}
