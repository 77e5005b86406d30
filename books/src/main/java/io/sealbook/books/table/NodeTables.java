package io.sealbook.books.table;

import io.sealbook.engine.setup.EngineDirectory;
import java.nio.file.Path;
import java.util.List;

/** All tables over the files of a node. */
public final class NodeTables {
    private NodeTables() {}

    /** Returns the tables over the node in a directory; files are opened at each query. */
    public static List<BookTable<?>> of(Path directory) {
        EngineDirectory node = new EngineDirectory(directory);
        return List.of(
                ArchiveTables.blocks(node.archive()),
                ArchiveTables.batches(node.archive()),
                ArchiveTables.entries(node.archive()),
                ChangeTable.changes(node.archive(), node.genesis()),
                ReportTable.reports(node.reports()));
    }
}
