/**
 * What the matching loop emits, on its way to the consumers: slots of a ring, each an arena with whole SBE messages.
 *
 * <pre>
 *   MatchingLoop ─▶ OutputRing ─▶ journal, report stores (then snapshots), market data
 * </pre>
 */
package io.sealbook.engine.output;
