-- The order that bore a ClOrdID last, without a look at those before it. ORDER BY must name all four columns.
DROP INDEX IF EXISTS orders_by_cl_ord_id;
CREATE INDEX orders_by_cl_ord_id ON orders (cl_ord_id, broker_id, updated_block, updated_index);
