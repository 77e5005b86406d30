/**
 * Price-time books of all instruments over shared primitive arrays.
 *
 * <pre>
 *   OrderIndex   (broker, clOrdId) ─▶ slot      open addressing
 *   OrderStore   slot ─▶ 8 words                64 bytes an order, FIFO links inside
 *   PriceLadders (book, side, rank) ─▶ level    pages of 64 prices on demand, occupancy bitmaps
 *   OrderBooks   enter, match, cancel, reduce over the three
 *   BookOrder    an order on its way into a slot or out of it
 * </pre>
 *
 * A price is kept as its rank: the number of ticks from the best price that the side could have, so that on both sides
 * the best level is the lowest occupied rank. One thread owns everything here.
 */
package io.sealbook.matching.book;
