/**
 * REST queries: recent orders and trades from memory, older ones and accounts from the database, blocks and state from
 * the monitor. What the blocks hold is in the package {@code history}.
 */
package io.sealbook.engine.query;
