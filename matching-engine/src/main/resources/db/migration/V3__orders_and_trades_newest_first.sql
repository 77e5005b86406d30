-- The newest trades of an instrument, without a look at those of others. ORDER BY must name both columns.
CREATE INDEX trades_by_instrument ON trades (instrument_id, trade_id);
