-- Each table has a macro with a range of blocks, and a view of the same name over all blocks. scan_* read the files.
CREATE MACRO blocks(from_block := 1, to_block := 9223372036854775807) AS TABLE FROM scan_blocks(from_block, to_block);
CREATE VIEW blocks AS FROM blocks();
CREATE MACRO batches(from_block := 1, to_block := 9223372036854775807) AS TABLE FROM scan_batches(from_block, to_block);
CREATE VIEW batches AS FROM batches();
CREATE MACRO entries(from_block := 1, to_block := 9223372036854775807) AS TABLE FROM scan_entries(from_block, to_block);
CREATE VIEW entries AS FROM entries();
CREATE MACRO changes(from_block := 1, to_block := 9223372036854775807) AS TABLE FROM scan_changes(from_block, to_block);
CREATE VIEW changes AS FROM changes();
CREATE MACRO reports(from_block := 1, to_block := 9223372036854775807) AS TABLE FROM scan_reports(from_block, to_block);
CREATE VIEW reports AS FROM reports();

-- A trade is its two fills, which carry its number.
CREATE MACRO trades(from_block := 1, to_block := 9223372036854775807) AS TABLE
SELECT buy.trade_id, buy.block, buy.time_ns, buy.instrument_id, buy.last_px AS price, buy.last_qty AS quantity,
       buy.order_id AS buy_order_id, buy.broker_id AS buy_broker_id, buy.account_id AS buy_account_id,
       sell.order_id AS sell_order_id, sell.broker_id AS sell_broker_id, sell.account_id AS sell_account_id
FROM scan_reports(from_block, to_block) AS buy
JOIN scan_reports(from_block, to_block) AS sell ON sell.trade_id = buy.trade_id
WHERE buy.exec_type = 'TRADE' AND buy.side = 'BUY' AND sell.exec_type = 'TRADE' AND sell.side = 'SELL';
CREATE VIEW trades AS FROM trades();

-- An order as its last report shows it. A refused entry is no order, nor is a request for many orders.
CREATE VIEW orders AS
SELECT order_id, unnest(arg_max(struct_pack(
           broker_id := broker_id,
           cl_ord_id := CASE WHEN exec_type = 'CANCELED' THEN coalesce(orig_cl_ord_id, cl_ord_id) ELSE cl_ord_id END,
           account_id := account_id, instrument_id := instrument_id, side := side, ord_type := ord_type,
           time_in_force := time_in_force, price := price, quantity := quantity, leaves_qty := leaves_qty,
           cum_qty := cum_qty, cum_value := cum_value, ord_status := ord_status, block := block, time_ns := time_ns),
       exec_id))
FROM reports
WHERE exec_type NOT IN ('REJECTED', 'CANCEL_REJECT') AND order_id IS NOT NULL
GROUP BY order_id;

-- What each account has bought and sold; values are prices in ticks times quantities in lots. A quantity stays at the
-- largest BIGINT, as an engine's does.
CREATE VIEW positions AS
SELECT account_id, instrument_id,
       least(coalesce(sum(last_qty) FILTER (side = 'BUY'), 0), 9223372036854775807)::BIGINT AS bought_qty,
       coalesce(sum(last_px * last_qty) FILTER (side = 'BUY'), 0)::HUGEINT AS bought_value,
       least(coalesce(sum(last_qty) FILTER (side = 'SELL'), 0), 9223372036854775807)::BIGINT AS sold_qty,
       coalesce(sum(last_px * last_qty) FILTER (side = 'SELL'), 0)::HUGEINT AS sold_value
FROM reports
WHERE exec_type = 'TRADE'
GROUP BY account_id, instrument_id;

CREATE VIEW refusals AS
SELECT block, time_ns, broker_id, report_sequence, exec_type, cl_ord_id, account_id, instrument_id, reject_reason
FROM reports
WHERE exec_type IN ('REJECTED', 'CANCEL_REJECT');
