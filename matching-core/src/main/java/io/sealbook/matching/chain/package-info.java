/**
 * Execution of a chain: orders by the matching core, administrative batches by the membership, which decides the core's
 * configuration from the next block on.
 *
 * <pre>
 *   block b      ──▶ core, under the membership before it ──▶ reports, trades, digest
 *   its transactions ──▶ membership ──▶ configuration ──▶ core, from block b + 1 on
 * </pre>
 */
package io.sealbook.matching.chain;
