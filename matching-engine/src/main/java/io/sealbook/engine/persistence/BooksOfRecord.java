package io.sealbook.engine.persistence;

import io.sealbook.vocabulary.OperatingFailureException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Orders, trades and positions in the database. A reader always sees the state after one whole block, except while they
 * are cleared.
 */
public final class BooksOfRecord {
    /** The position from a claim until all rows of before are deleted: those that are left are of no block. */
    static final long CLEARING = -1;

    private static final int POSITION_ROW = 1;
    /** Rows that one statement deletes, or few more: far less work than a server may take for a statement. */
    private static final int CLEARED_ROWS = 10_000;
    /** Limit of a question; the rows of one are found by an index. */
    private static final int QUESTION_SECONDS_MAX = 5;

    private static final int NO_LIMIT = 0;

    private static final List<Cleared> CLEARED = List.of(
            new Cleared("orders", "order_id"),
            new Cleared("refusals", "block_sequence"),
            new Cleared("trades", "trade_id"),
            new Cleared("positions", "account_id"));

    /** A table that is cleared, by the first column of its primary key. */
    private record Cleared(String table, String key) {}

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;
    private final int clearedRows;
    private final Tables written;
    private final Tables asked;

    /** The tables as one template reaches them. */
    private record Tables(OrderTable orders, TradeTable trades, PositionTable positions) {
        Tables(JdbcTemplate jdbc) {
            this(new OrderTable(jdbc), new TradeTable(jdbc), new PositionTable(jdbc));
        }
    }

    /**
     * Opens the books on a database whose tables exist.
     *
     * @param jdbc for one database of this engine alone; its statements get no limit of time
     * @param transactions on the same database
     */
    public BooksOfRecord(JdbcTemplate jdbc, TransactionTemplate transactions) {
        this(jdbc, transactions, CLEARED_ROWS);
    }

    /** As above, with the number of rows of one key or more that a statement deletes. */
    BooksOfRecord(JdbcTemplate jdbc, TransactionTemplate transactions, int clearedRows) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.clearedRows = clearedRows;
        // Named, not left open: H2 keeps the limit of a question for its connection.
        jdbc.setQueryTimeout(NO_LIMIT);
        JdbcTemplate questions = new JdbcTemplate(jdbc.getDataSource());
        questions.setQueryTimeout(QUESTION_SECONDS_MAX);
        written = new Tables(jdbc);
        asked = new Tables(questions);
    }

    /**
     * Returns the last block that is in the database, 0 when it is new, {@link #CLEARING} after a claim.
     *
     * @throws IllegalStateException if the database belongs to another chain
     */
    long position(long chainId) {
        try {
            long known =
                    jdbc.queryForObject("SELECT chain_id FROM journal_position WHERE id = ?", Long.class, POSITION_ROW);
            if (known != chainId) {
                throw new OperatingFailureException("database: is of chain " + Long.toUnsignedString(known)
                        + ", expected " + Long.toUnsignedString(chainId));
            }
            return jdbc.queryForObject(
                    "SELECT block_sequence FROM journal_position WHERE id = ?", Long.class, POSITION_ROW);
        } catch (EmptyResultDataAccessException isNew) {
            jdbc.update(
                    "INSERT INTO journal_position (id, block_sequence, chain_id) VALUES (?, 0, ?)",
                    POSITION_ROW,
                    chainId);
            return 0;
        }
    }

    /** Returns the mark of the engine directory whose outputs are here; empty if none has been set. */
    Optional<String> mark() {
        return Optional.ofNullable(jdbc.queryForObject(
                "SELECT engine_mark FROM journal_position WHERE id = ?", String.class, POSITION_ROW));
    }

    /**
     * Sets the first mark of a database.
     *
     * @throws OperatingFailureException if another engine has set one
     */
    void mark(String engineMark) {
        int marked = jdbc.update(
                "UPDATE journal_position SET engine_mark = ? WHERE id = ? AND engine_mark IS NULL",
                engineMark,
                POSITION_ROW);
        if (marked != 1) {
            throw new OperatingFailureException("database: another engine has marked it");
        }
    }

    /**
     * Takes the database for an engine directory, and gives up what is in it: {@link #clear} must follow. From then on
     * the earlier owner can write nothing. The statement waits for a transaction of it that is still under way, so that
     * the rows of it are deleted with the others.
     */
    void claim(String engineMark) {
        jdbc.update(
                "UPDATE journal_position SET engine_mark = ?, block_sequence = ? WHERE id = ?",
                engineMark,
                CLEARING,
                POSITION_ROW);
    }

    /**
     * Deletes everything that an engine put out, after a claim; the position is 0 in the end. Each portion of rows is a
     * transaction, because a server may count as failed before it has deleted all rows: a call that fails has made
     * progress, and is repeated.
     *
     * @param engineMark of the claim
     * @throws OperatingFailureException if another engine has claimed the database since
     */
    void clear(String engineMark) {
        CLEARED.forEach(rows -> clear(engineMark, rows));
        move(engineMark, CLEARING, 0);
    }

    /** Deletes by ascending key, so that no statement passes over rows that are deleted already. */
    private void clear(String engineMark, Cleared rows) {
        String last = "SELECT MAX(" + rows.key + ") FROM (SELECT " + rows.key + " FROM " + rows.table + " WHERE "
                + rows.key + " > ? ORDER BY " + rows.key + " LIMIT ?) AS portion";
        String delete = "DELETE FROM " + rows.table + " WHERE " + rows.key + " > ? AND " + rows.key + " <= ?";
        long before = Long.MIN_VALUE;
        Long through = jdbc.queryForObject(last, Long.class, before, clearedRows);
        while (through != null) {
            delete(engineMark, delete, before, through);
            before = through;
            through = jdbc.queryForObject(last, Long.class, before, clearedRows);
        }
    }

    private void delete(String engineMark, String portion, long before, long through) {
        transactions.executeWithoutResult(status -> {
            move(engineMark, CLEARING, CLEARING);
            jdbc.update(portion, before, through);
        });
    }

    /**
     * Applies the changes of the blocks after {@code from} in one transaction. The position is first: the statement
     * waits for a transaction of an earlier connection that is still under way.
     *
     * @param engineMark the database must have it
     * @param from the last block that is in the database
     * @param blocks hands over the changes in order, in any number of portions; returns the last block of them
     * @return the last block
     */
    long apply(String engineMark, long from, ToLongFunction<Consumer<BlockChanges>> blocks) {
        long[] to = {from};
        transactions.executeWithoutResult(status -> {
            move(engineMark, from, from);
            to[0] = blocks.applyAsLong(this::write);
            move(engineMark, from, to[0]);
        });
        return to[0];
    }

    private void move(String engineMark, long from, long to) {
        int moved = jdbc.update(
                "UPDATE journal_position SET block_sequence = ?"
                        + " WHERE id = ? AND block_sequence = ? AND engine_mark = ?",
                to,
                POSITION_ROW,
                from,
                engineMark);
        if (moved != 1) {
            throw new OperatingFailureException(
                    "database: is not at block " + from + " of this engine; does another one write it?");
        }
    }

    private void write(BlockChanges changes) {
        written.orders.insert(changes.newOrders.values());
        written.orders.update(changes.changedOrders.values());
        written.orders.insertRefusals(changes.refusals);
        written.trades.insert(changes.trades);
        written.positions.add(changes.positions.values());
    }

    /**
     * Returns the order that has this ClOrdID, or had it last.
     *
     * @param brokerId unsigned 32-bit id
     * @param clOrdId 64-bit id, as unsigned bits
     */
    public Optional<OrderRecord> order(long brokerId, long clOrdId) {
        return asked.orders.find(brokerId, clOrdId);
    }

    /**
     * Returns an account's orders, newest first.
     *
     * @param accountId unsigned 32-bit id
     * @param limit maximum number returned, at least 1
     */
    public List<OrderRecord> ordersOfAccount(long accountId, int limit) {
        return asked.orders.ofAccount(accountId, limit);
    }

    /**
     * Returns refusals from a block on.
     *
     * @param fromBlock first block, inclusive
     * @param limit maximum number returned, at least 1
     */
    public List<RefusalRecord> refusals(long fromBlock, int limit) {
        return asked.orders.refusals(fromBlock, limit);
    }

    /**
     * Returns an instrument's trades with an id below {@code beforeTradeId}, newest first; none while the database does
     * not have the trade {@code knownTradeId} yet.
     *
     * @param instrumentId unsigned 32-bit id
     * @param beforeTradeId exclusive; {@link Long#MAX_VALUE} for the newest
     * @param limit maximum number returned, at least 1
     * @param knownTradeId of any instrument: ids of all trades count without gaps; 0 asks for none
     */
    public List<TradeRecord> trades(long instrumentId, long beforeTradeId, int limit, long knownTradeId) {
        return asked.trades.ofInstrument(instrumentId, beforeTradeId, limit, knownTradeId);
    }

    /**
     * Returns an account's positions, and the block of which they are.
     *
     * @param accountId unsigned 32-bit id
     */
    public BookedPositions positions(long accountId) {
        return asked.positions.ofAccount(accountId, POSITION_ROW);
    }
}
