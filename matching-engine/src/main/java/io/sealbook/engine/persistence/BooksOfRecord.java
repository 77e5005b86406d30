package io.sealbook.engine.persistence;

import io.sealbook.vocabulary.OperatingFailureException;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Orders, trades and positions in the database; a reader always sees the state after one whole block. */
public final class BooksOfRecord {
    private static final int POSITION_ROW = 1;
    /** The position is last: who reads it finds the others as they belong to it. */
    private static final List<String> TABLES = List.of("orders", "refusals", "trades", "positions", "journal_position");

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;
    private final OrderTable orders;
    private final TradeTable trades;
    private final PositionTable positions;

    /**
     * Opens the books on a database whose tables exist.
     *
     * @param jdbc for one database of this engine alone
     * @param transactions on the same database
     */
    public BooksOfRecord(JdbcTemplate jdbc, TransactionTemplate transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        orders = new OrderTable(jdbc);
        trades = new TradeTable(jdbc);
        positions = new PositionTable(jdbc);
    }

    /**
     * Returns the last block that is in the database, 0 when it is new.
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

    /** Forgets everything that an engine put out, in one transaction; the position is 0 then. */
    void clear() {
        transactions.executeWithoutResult(status -> TABLES.forEach(table -> jdbc.update("DELETE FROM " + table)));
    }

    /** Applies the changes of the blocks {@code from + 1 .. to} in one transaction. */
    void apply(BlockChanges changes, long from, long to) {
        transactions.executeWithoutResult(status -> {
            int moved = jdbc.update(
                    "UPDATE journal_position SET block_sequence = ? WHERE id = ? AND block_sequence = ?",
                    to,
                    POSITION_ROW,
                    from);
            if (moved != 1) {
                throw new OperatingFailureException(
                        "database: is not at block " + from + "; does another engine write it?");
            }
            orders.insert(changes.newOrders.values());
            orders.update(changes.changedOrders.values());
            orders.insertRefusals(changes.refusals);
            trades.insert(changes.trades);
            positions.add(changes.positions.values());
        });
    }

    /**
     * Returns the newest order whose current ClOrdID this is.
     *
     * @param brokerId unsigned 32-bit id
     * @param clOrdId 64-bit id, as unsigned bits
     */
    public Optional<OrderRecord> order(long brokerId, long clOrdId) {
        return orders.find(brokerId, clOrdId);
    }

    /**
     * Returns an account's orders, newest first.
     *
     * @param accountId unsigned 32-bit id
     * @param limit maximum number returned, at least 1
     */
    public List<OrderRecord> ordersOfAccount(long accountId, int limit) {
        return orders.ofAccount(accountId, limit);
    }

    /**
     * Returns refusals from a block on.
     *
     * @param fromBlock first block, inclusive
     * @param limit maximum number returned, at least 1
     */
    public List<RefusalRecord> refusals(long fromBlock, int limit) {
        return orders.refusals(fromBlock, limit);
    }

    /**
     * Returns an instrument's trades with an id below {@code beforeTradeId}, newest first.
     *
     * @param instrumentId unsigned 32-bit id
     * @param beforeTradeId exclusive; {@link Long#MAX_VALUE} for the newest
     * @param limit maximum number returned, at least 1
     */
    public List<TradeRecord> trades(long instrumentId, long beforeTradeId, int limit) {
        return trades.ofInstrument(instrumentId, beforeTradeId, limit);
    }

    /**
     * Returns an account's positions, and the block of which they are.
     *
     * @param accountId unsigned 32-bit id
     */
    public BookedPositions positions(long accountId) {
        return positions.ofAccount(accountId, POSITION_ROW);
    }
}
