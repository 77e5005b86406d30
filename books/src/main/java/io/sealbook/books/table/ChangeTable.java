package io.sealbook.books.table;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.administration.AdministrativeEntry;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.membership.ChangeText;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/** The table over a node's archive of what the members changed, and of what was refused to them. */
final class ChangeTable {
    private static final List<Column<Row>> COLUMNS = List.of(
            Column.number("block", row -> row.entry().block()),
            Column.place("batch", row -> row.entry().batchIndex()),
            Column.text("batch_id", row -> row.entry().batchId().hex()),
            Column.number("transaction", row -> row.entry().terms().getNumber()),
            Column.place("change", Row::index),
            Column.text("description", Row::description),
            Column.place("proposer", row -> row.entry().proposer()),
            Column.text("approvers", row -> row.entry().proposed().approversText()),
            Column.text("refusal", row -> row.entry().refusal()),
            Column.text("reason", row -> row.entry().terms().getReason()));

    /** A change of a transaction; bytes that are no transaction have one row without a change. */
    record Row(AdministrativeEntry entry, int index) {
        String description() {
            return index < entry.terms().getChangesCount()
                    ? ChangeText.of(entry.terms().getChanges(index))
                    : "";
        }
    }

    private ChangeTable() {}

    /**
     * Returns one row per change.
     *
     * @param archive of the node
     * @param genesis file of the chain
     */
    static BookTable<Row> changes(Path archive, Path genesis) {
        return new BookTable<>("changes", COLUMNS, span -> new Changes(read(archive, genesis, span)));
    }

    /** Whether a transaction was executed follows from all before it: they are read whatever the span begins with. */
    private static Iterator<Row> read(Path archive, Path genesisFile, BlockSpan span) {
        try (ArchiveReader reader = ArchiveReader.open(archive)) {
            Genesis genesis = GenesisFile.parse(Files.readAllBytes(genesisFile)).genesis();
            return new MembershipHistory(reader, genesis)
                    .atEnd().entries().stream()
                            .filter(entry -> span.contains(entry.block()))
                            .flatMap(entry -> IntStream.range(
                                            0, Math.max(1, entry.terms().getChangesCount()))
                                    .mapToObj(index -> new Row(entry, index)))
                            .toList()
                            .iterator();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + genesisFile, e);
        }
    }

    private record Changes(Iterator<Row> rows) implements Rows<Row> {
        @Override
        public Row next() {
            return rows.hasNext() ? rows.next() : null;
        }

        @Override
        public void close() {
            // Everything was read when it was opened.
        }
    }
}
