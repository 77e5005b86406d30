/**
 * The books of record: orders, trades, refusals and positions in a relational database, after the matching loop.
 *
 * <p>The database follows the journal on its own thread and at its own pace, so it never holds the loop; when it is
 * slow or away its lag grows, the journal keeps what it needs, and it catches up from there. Each transaction holds
 * whole blocks and the position after them, so a block is applied once whatever happens in between; its rows are
 * written in portions, so that the heap holds one of them however large a block is.
 */
package io.sealbook.engine.persistence;
