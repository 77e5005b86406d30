/**
 * Price-time books of all instruments over arrays of primitives that all of them share.
 *
 * <pre>
 *   OrderIndex   (broker, clOrdId) ─▶ slot      extendible hashing over IndexSegments
 *   OrderStore   slot ─▶ 8 words                64 bytes per order, queue links inside
 *   PriceLadders (book, side, rank) ─▶ level    page directory, occupancy bits
 *   LevelPages   level ─▶ queue, sums           pages of 64 levels on demand
 *   OrderBooks   enter, match, cancel, reduce over the four
 *   LookAhead    reads the memory of expected entries early
 *   BookOrder    an order on its way into a slot or out of it
 * </pre>
 *
 * A price is kept as its rank: the number of ticks from the best price that the side could have, so that on both sides
 * the best level is the lowest occupied rank. One thread owns everything here.
 */
package io.sealbook.matching.book;
