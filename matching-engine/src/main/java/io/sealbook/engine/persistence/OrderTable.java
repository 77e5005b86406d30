package io.sealbook.engine.persistence;

import io.sealbook.protocol.sbe.RejectReason;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;

/** Reads and writes orders and refusals. */
final class OrderTable {
    private static final int BATCH = 1000;

    private static final String INSERT = """
            INSERT INTO orders (order_id, broker_id, cl_ord_id, account_id, instrument_id, side, ord_type,
                time_in_force, price, quantity, leaves_qty, cum_qty, cum_value, ord_status, entered_block,
                updated_block, updated_index, updated_time_ns)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;
    private static final String UPDATE = """
            UPDATE orders SET cl_ord_id = ?, time_in_force = ?, price = ?, quantity = ?, leaves_qty = ?, cum_qty = ?,
                cum_value = ?, ord_status = ?, updated_block = ?, updated_index = ?, updated_time_ns = ?
            WHERE order_id = ?
            """;
    private static final String INSERT_REFUSAL = """
            INSERT INTO refusals (block_sequence, output_index, broker_id, cl_ord_id, account_id, instrument_id, action,
                reject_reason, time_ns)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private final JdbcTemplate jdbc;

    OrderTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void insert(Collection<OrderRecord> orders) {
        jdbc.batchUpdate(INSERT, orders, BATCH, (statement, order) -> {
            statement.setLong(1, order.orderId());
            statement.setLong(2, order.brokerId());
            statement.setLong(3, order.clOrdId());
            statement.setLong(4, order.accountId());
            statement.setLong(5, order.instrumentId());
            statement.setString(6, Codes.of(order.side().value()));
            statement.setString(7, Codes.of(order.ordType().value()));
            statement.setString(8, Codes.of(order.timeInForce().value()));
            statement.setLong(9, order.price());
            statement.setLong(10, order.quantity());
            statement.setLong(11, order.leavesQty());
            statement.setLong(12, order.cumQty());
            statement.setLong(13, order.cumValue());
            statement.setString(14, Codes.of(order.ordStatus().value()));
            statement.setLong(15, order.enteredBlock());
            statement.setLong(16, order.updatedBlock());
            statement.setInt(17, order.updatedIndex());
            statement.setLong(18, order.updatedTimeNs());
        });
    }

    void update(Collection<OrderRecord> orders) {
        jdbc.batchUpdate(UPDATE, orders, BATCH, (statement, order) -> {
            statement.setLong(1, order.clOrdId());
            statement.setString(2, Codes.of(order.timeInForce().value()));
            statement.setLong(3, order.price());
            statement.setLong(4, order.quantity());
            statement.setLong(5, order.leavesQty());
            statement.setLong(6, order.cumQty());
            statement.setLong(7, order.cumValue());
            statement.setString(8, Codes.of(order.ordStatus().value()));
            statement.setLong(9, order.updatedBlock());
            statement.setInt(10, order.updatedIndex());
            statement.setLong(11, order.updatedTimeNs());
            statement.setLong(12, order.orderId());
        });
    }

    void insertRefusals(Collection<RefusalRecord> refusals) {
        jdbc.batchUpdate(INSERT_REFUSAL, refusals, BATCH, (statement, refusal) -> {
            statement.setLong(1, refusal.blockSequence());
            statement.setInt(2, refusal.outputIndex());
            statement.setLong(3, refusal.brokerId());
            statement.setLong(4, refusal.clOrdId());
            statement.setLong(5, refusal.accountId());
            statement.setLong(6, refusal.instrumentId());
            statement.setString(7, Codes.of(refusal.action().value()));
            statement.setInt(8, refusal.rejectReason().value());
            statement.setLong(9, refusal.timeNs());
        });
    }

    /**
     * Returns the order that has this ClOrdID, or had it last. An older order may have taken it by a replace, after the
     * end of a newer one: the last report decides. ORDER BY is the whole index {@code orders_by_cl_ord_id}, as in
     * {@link TradeTable}: a broker may give one ClOrdID to each of its orders after the end of the one before.
     */
    Optional<OrderRecord> find(long brokerId, long clOrdId) {
        return jdbc
                .query(
                        "SELECT * FROM orders WHERE cl_ord_id = ? AND broker_id = ?"
                                + " ORDER BY cl_ord_id DESC, broker_id DESC, updated_block DESC, updated_index DESC"
                                + " LIMIT 1",
                        (row, i) -> order(row),
                        clOrdId,
                        brokerId)
                .stream()
                .findFirst();
    }

    /** Returns an account's orders, newest first; ordered as the index is, see {@link TradeTable}. */
    List<OrderRecord> ofAccount(long accountId, int limit) {
        return jdbc.query(
                "SELECT * FROM orders WHERE account_id = ? ORDER BY account_id DESC, order_id DESC LIMIT ?",
                (row, i) -> order(row),
                accountId,
                limit);
    }

    List<RefusalRecord> refusals(long fromBlock, int limit) {
        return jdbc.query(
                "SELECT * FROM refusals WHERE block_sequence >= ? ORDER BY block_sequence, output_index LIMIT ?",
                (row, i) -> new RefusalRecord(
                        row.getLong("block_sequence"),
                        row.getInt("output_index"),
                        row.getLong("broker_id"),
                        row.getLong("cl_ord_id"),
                        row.getLong("account_id"),
                        row.getLong("instrument_id"),
                        Codes.action(row.getString("action")),
                        RejectReason.get(row.getShort("reject_reason")),
                        row.getLong("time_ns")),
                fromBlock,
                limit);
    }

    private static OrderRecord order(ResultSet row) throws SQLException {
        return new OrderRecord(
                row.getLong("order_id"),
                row.getLong("broker_id"),
                row.getLong("cl_ord_id"),
                row.getLong("account_id"),
                row.getLong("instrument_id"),
                Codes.side(row.getString("side")),
                Codes.ordType(row.getString("ord_type")),
                Codes.timeInForce(row.getString("time_in_force")),
                row.getLong("price"),
                row.getLong("quantity"),
                row.getLong("leaves_qty"),
                row.getLong("cum_qty"),
                row.getLong("cum_value"),
                Codes.ordStatus(row.getString("ord_status")),
                row.getLong("entered_block"),
                row.getLong("updated_block"),
                row.getInt("updated_index"),
                row.getLong("updated_time_ns"));
    }
}
