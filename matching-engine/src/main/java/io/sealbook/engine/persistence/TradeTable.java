package io.sealbook.engine.persistence;

import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** Reads and writes trades. */
final class TradeTable {
    private static final int BATCH = 1000;

    private static final String INSERT = """
            INSERT INTO trades (trade_id, block_sequence, output_index, instrument_id, price, quantity, time_ns,
                aggressor_side, buy_order_id, sell_order_id, buy_broker_id, sell_broker_id, buy_account_id,
                sell_account_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    /**
     * One statement, so that the last trade is of the same moment as the others. The order is that of the index
     * {@code trades_by_instrument}: H2 takes no index for the order of its last column alone.
     */
    private static final String OF_INSTRUMENT = """
            SELECT * FROM trades
            WHERE trade_id < ? AND instrument_id = ? AND (SELECT MAX(trade_id) FROM trades) >= ?
            ORDER BY instrument_id DESC, trade_id DESC LIMIT ?
            """;

    private final JdbcTemplate jdbc;

    TradeTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void insert(Collection<TradeRecord> trades) {
        jdbc.batchUpdate(INSERT, trades, BATCH, (statement, trade) -> {
            statement.setLong(1, trade.tradeId());
            statement.setLong(2, trade.blockSequence());
            statement.setInt(3, trade.outputIndex());
            statement.setLong(4, trade.instrumentId());
            statement.setLong(5, trade.price());
            statement.setLong(6, trade.quantity());
            statement.setLong(7, trade.timeNs());
            statement.setString(8, Codes.of(trade.aggressorSide().value()));
            statement.setLong(9, trade.buyOrderId());
            statement.setLong(10, trade.sellOrderId());
            statement.setLong(11, trade.buyBrokerId());
            statement.setLong(12, trade.sellBrokerId());
            statement.setLong(13, trade.buyAccountId());
            statement.setLong(14, trade.sellAccountId());
        });
    }

    /** Returns an instrument's trades below a trade id, newest first; none without a known trade. */
    List<TradeRecord> ofInstrument(long instrumentId, long beforeTradeId, int limit, long knownTradeId) {
        return jdbc.query(
                OF_INSTRUMENT,
                (row, i) -> new TradeRecord(
                        row.getLong("trade_id"),
                        row.getLong("block_sequence"),
                        row.getInt("output_index"),
                        row.getLong("instrument_id"),
                        row.getLong("price"),
                        row.getLong("quantity"),
                        row.getLong("time_ns"),
                        Codes.aggressorSide(row.getString("aggressor_side")),
                        row.getLong("buy_order_id"),
                        row.getLong("sell_order_id"),
                        row.getLong("buy_broker_id"),
                        row.getLong("sell_broker_id"),
                        row.getLong("buy_account_id"),
                        row.getLong("sell_account_id")),
                beforeTradeId,
                instrumentId,
                knownTradeId,
                limit);
    }
}
