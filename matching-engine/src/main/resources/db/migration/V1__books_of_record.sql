-- Orders, trades, refusals and positions as the engine reported them. Plain SQL for H2 and PostgreSQL.
-- Ids that brokers choose are unsigned 64-bit numbers kept in signed columns: the bits are the same.
CREATE TABLE orders (
    order_id        BIGINT   PRIMARY KEY,
    broker_id       BIGINT   NOT NULL,
    cl_ord_id       BIGINT   NOT NULL,
    account_id      BIGINT   NOT NULL,
    instrument_id   BIGINT   NOT NULL,
    side            CHAR(1)  NOT NULL,
    ord_type        CHAR(1)  NOT NULL,
    time_in_force   CHAR(1)  NOT NULL,
    price           BIGINT   NOT NULL,
    quantity        BIGINT   NOT NULL,
    leaves_qty      BIGINT   NOT NULL,
    cum_qty         BIGINT   NOT NULL,
    cum_value       BIGINT   NOT NULL,
    ord_status      CHAR(1)  NOT NULL,
    entered_block   BIGINT   NOT NULL,
    updated_block   BIGINT   NOT NULL,
    updated_index   INT      NOT NULL,
    updated_time_ns BIGINT   NOT NULL
);
CREATE INDEX orders_by_cl_ord_id ON orders (cl_ord_id, broker_id);
CREATE INDEX orders_by_account ON orders (account_id, order_id);

-- Orders, cancels and replaces that were refused; keyed by the place of their report among the block's outputs.
CREATE TABLE refusals (
    block_sequence  BIGINT   NOT NULL,
    output_index    INT      NOT NULL,
    broker_id       BIGINT   NOT NULL,
    cl_ord_id       BIGINT   NOT NULL,
    account_id      BIGINT   NOT NULL,
    instrument_id   BIGINT   NOT NULL,
    action          CHAR(1)  NOT NULL,
    reject_reason   SMALLINT NOT NULL,
    time_ns         BIGINT   NOT NULL,
    PRIMARY KEY (block_sequence, output_index)
);

CREATE TABLE trades (
    trade_id        BIGINT   PRIMARY KEY,
    block_sequence  BIGINT   NOT NULL,
    output_index    INT      NOT NULL,
    instrument_id   BIGINT   NOT NULL,
    price           BIGINT   NOT NULL,
    quantity        BIGINT   NOT NULL,
    time_ns         BIGINT   NOT NULL,
    aggressor_side  CHAR(1)  NOT NULL,
    buy_order_id    BIGINT   NOT NULL,
    sell_order_id   BIGINT   NOT NULL,
    buy_broker_id   BIGINT   NOT NULL,
    sell_broker_id  BIGINT   NOT NULL,
    buy_account_id  BIGINT   NOT NULL,
    sell_account_id BIGINT   NOT NULL
);

-- What each account has bought and sold; the net position is the difference. Values are in ticks times quantity.
CREATE TABLE positions (
    account_id      BIGINT   NOT NULL,
    instrument_id   BIGINT   NOT NULL,
    bought_qty      BIGINT   NOT NULL,
    bought_value    BIGINT   NOT NULL,
    sold_qty        BIGINT   NOT NULL,
    sold_value      BIGINT   NOT NULL,
    updated_block   BIGINT   NOT NULL,
    PRIMARY KEY (account_id, instrument_id)
);

-- One row: the last block of which everything above holds the outputs. Written in the same transaction.
CREATE TABLE journal_position (
    id              INT      PRIMARY KEY,
    block_sequence  BIGINT   NOT NULL,
    chain_id        BIGINT   NOT NULL
);
