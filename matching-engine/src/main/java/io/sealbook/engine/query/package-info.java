/**
 * REST queries: recent orders and trades from memory, older ones and accounts from the database, blocks and state from
 * the monitor.
 */
package io.sealbook.engine.query;
