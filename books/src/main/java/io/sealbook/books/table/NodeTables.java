package io.sealbook.books.table;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.engine.reports.FiledBlock;
import io.sealbook.engine.setup.EngineDirectory;
import java.nio.file.Path;
import java.util.List;

/** All tables over the files of a node. */
public final class NodeTables {
    private NodeTables() {}

    /**
     * Returns the tables over a node; files are opened at each query.
     *
     * @param directory of the node
     * @param earlyReports is notified of the first report of each broker that a query reads
     * @param cutReports of the node
     */
    public static List<BookTable<?>> of(Path directory, EarlyReports earlyReports, CutReports cutReports) {
        EngineDirectory node = new EngineDirectory(directory);
        return List.of(
                ArchiveTables.blocks(node.archive()),
                ArchiveTables.batches(node.archive()),
                ArchiveTables.entries(node.archive()),
                ChangeTable.changes(node.archive(), node.genesis()),
                ReportTable.reports(node.reports(), earlyReports, cutReports));
    }

    /**
     * Returns the last block that all tables have: it is archived, and its reports are all filed. Of a node without
     * reports, whose engine is elsewhere, it is the last of the archive.
     *
     * @param directory of the node
     */
    public static long lastBlock(Path directory) {
        EngineDirectory node = new EngineDirectory(directory);
        try (ArchiveReader archive = ArchiveReader.open(node.archive())) {
            return Math.min(
                    archive.lastSequence(), FiledBlock.in(node.reports()).orElse(Long.MAX_VALUE));
        }
    }
}
