package io.sealbook.engine.matching;

import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.retention.Retention;
import io.sealbook.engine.snapshot.SnapshotStore;

/**
 * The files that an engine keeps of its own. A start reads all of them; what they hold beyond the starting point is
 * cut.
 *
 * @param retention deletes from them what nobody needs any more
 */
public record EngineStores(
        SnapshotStore snapshots, ReportStores reports, ExecutionJournal journal, Retention retention) {}
