/**
 * The exchange's decisions as a function of its inputs: blocks of signed batches go in, execution reports, trades and a
 * digest over them come out. No clock, thread, file, random source or logger; no floating point; no allocation on the
 * steady path.
 *
 * <pre>
 *   beginBlock ─▶ onBatch* ─▶ endBlock
 *                   │ SessionNumbers   executed before?
 *                   │ EntryHandler     validate, enter, cancel, replace
 *                   ▼ book.OrderBooks  match by price, then time
 *                 ReportWriter         numbers, packs ─▶ ResultDigest, MatchingOutput
 * </pre>
 */
package io.sealbook.matching;
