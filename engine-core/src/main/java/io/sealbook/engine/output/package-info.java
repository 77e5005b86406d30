/**
 * The outputs of the matching loop on their way to the consumers: slots of a ring, each an arena with SBE messages.
 *
 * <pre>
 *   MatchingLoop ─▶ OutputRing ─▶ journal, report stores (then snapshots), market data
 * </pre>
 */
package io.sealbook.engine.output;
