package io.sealbook.engine.persistence;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** Reads positions and adds differences to them; a sum stays at the largest number of its column. */
final class PositionTable {
    private static final String ADD = """
            UPDATE positions SET
                bought_qty = bought_qty + LEAST(?, 9223372036854775807 - bought_qty),
                bought_value = bought_value + LEAST(?, 9223372036854775807 - bought_value),
                sold_qty = sold_qty + LEAST(?, 9223372036854775807 - sold_qty),
                sold_value = sold_value + LEAST(?, 9223372036854775807 - sold_value),
                updated_block = ?
            WHERE account_id = ? AND instrument_id = ?
            """;
    private static final String INSERT = """
            INSERT INTO positions (bought_qty, bought_value, sold_qty, sold_value, updated_block, account_id,
                instrument_id)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """;

    /** One statement, so that the figures are those of the block. A row without a position has the block alone. */
    private static final String OF_ACCOUNT = """
            SELECT journal_position.block_sequence AS as_of_block, positions.*
            FROM journal_position LEFT JOIN positions ON positions.account_id = ?
            WHERE journal_position.id = ?
            ORDER BY positions.instrument_id
            """;

    private final JdbcTemplate jdbc;

    PositionTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void add(Collection<PositionRecord> differences) {
        List<Object[]> rows = differences.stream().map(PositionTable::row).toList();
        int[] updated = jdbc.batchUpdate(ADD, rows);
        List<Object[]> missing = new ArrayList<>();
        for (int i = 0; i < updated.length; i++) {
            if (updated[i] == 0) {
                missing.add(rows.get(i));
            }
        }
        jdbc.batchUpdate(INSERT, missing);
    }

    /**
     * Returns an account's positions by instrument, and the block of which they are: 0 while the books are cleared.
     *
     * @param accountId unsigned 32-bit id
     * @param journalRow id of the journal's position
     */
    BookedPositions ofAccount(long accountId, int journalRow) {
        return jdbc.query(
                OF_ACCOUNT,
                rows -> {
                    long asOfBlock = 0;
                    List<PositionRecord> positions = new ArrayList<>();
                    while (rows.next()) {
                        asOfBlock = Math.max(0, rows.getLong("as_of_block"));
                        if (rows.getObject("account_id") != null) {
                            positions.add(position(rows));
                        }
                    }
                    return new BookedPositions(asOfBlock, positions);
                },
                accountId,
                journalRow);
    }

    private static PositionRecord position(ResultSet row) throws SQLException {
        return new PositionRecord(
                row.getLong("account_id"),
                row.getLong("instrument_id"),
                row.getLong("bought_qty"),
                row.getLong("bought_value"),
                row.getLong("sold_qty"),
                row.getLong("sold_value"),
                row.getLong("updated_block"));
    }

    private static Object[] row(PositionRecord difference) {
        return new Object[] {
            difference.boughtQty(),
            difference.boughtValue(),
            difference.soldQty(),
            difference.soldValue(),
            difference.updatedBlock(),
            difference.accountId(),
            difference.instrumentId()
        };
    }
}
