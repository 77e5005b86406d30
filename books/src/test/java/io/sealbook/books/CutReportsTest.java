package io.sealbook.books;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.books.table.BlockSpan;
import io.sealbook.books.table.BookTable;
import io.sealbook.books.table.CutReports;
import io.sealbook.books.table.EarlyReports;
import io.sealbook.books.table.NodeTables;
import io.sealbook.books.table.Rows;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over the node of {@link TestBooks}, whose reports are read while its engine starts. */
class CutReportsTest {
    private static final int REPORTS = 6;

    @TempDir
    private Path directory;

    private CutReports cutReports;

    @BeforeEach
    void writeNode() {
        TestBooks.write(directory);
        cutReports = new CutReports(directory);
    }

    /** The reports of broker 1 end too early, and all are complete again when the table ends. */
    @Test
    void shouldNoticeACutOfWhichNothingIsLeftAtTheEnd() throws IOException {
        cutReports.need(2);
        Path filed = directory.resolve("engine/reports/filed");
        byte[] before = Files.readAllBytes(filed);
        TestBooks.cutBackToBlockOne(directory);

        try (Rows<?> rows = reports()) {
            assertThatExceptionOfType(OperatingFailureException.class)
                    .isThrownBy(() -> count(rows))
                    .withMessageContaining("cut them back to block 1");
        }
        Files.write(filed, before);
        cutReports.check();
    }

    @Test
    void shouldLetAQueryReadThatReliesOnNoBlock() {
        TestBooks.cutBackToBlockOne(directory);

        try (Rows<?> rows = reports()) {
            assertThat(count(rows)).isEqualTo(REPORTS - 1);
        }
    }

    private Rows<?> reports() {
        BookTable<?> table = NodeTables.of(directory, new EarlyReports(), cutReports).stream()
                .filter(each -> each.name().equals("reports"))
                .findFirst()
                .orElseThrow();
        return table.rows().apply(new BlockSpan(1, 2));
    }

    private static int count(Rows<?> rows) {
        int count = 0;
        while (rows.next() != null) {
            count++;
        }
        return count;
    }
}
