/**
 * Judges what brokers saw against what the archives hold: every acknowledged order is executed exactly once, at the
 * acknowledged place, and the order of the chain agrees with real time.
 *
 * <p>The chain is the witness of a linearization (Herlihy and Wing 1990, "Linearizability: a correctness condition for
 * concurrent objects", section 2.2): the operations are the entries of batches, each begins when it is submitted and
 * ends when its first receipt or report is seen, and takes effect at its place. So no search is needed.
 */
package io.sealbook.chaos.history;
