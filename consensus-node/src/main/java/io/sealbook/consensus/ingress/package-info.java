/**
 * From received bytes to an admitted batch.
 *
 * <pre>
 *   gateway streams ──── line ──┐ in turn
 *   peer 0 ──── line ───────────┼─▶ ring of IngressSlots
 *   peer 1 ──── line ───────────┘     │
 *                                     ├─▶ [ lanes 0..k-1: decode, check, collect, verify ] ──┬─▶ [ admission: dedupe,
 *                                     │                                                      │     store, spread, tell
 *                                     ╰─▶ [ lanes: decode, check ] ─▶ [ collect, verify ] ───╯     agreement ]
 *                                           for a verifier with a device                               │ Verdict
 *                                                                                                      ▼
 *                                                                              gateway stream / peer's counter
 * </pre>
 *
 * Every batch gets exactly one verdict. Admission is one thread and sees batches in ring order, and those of a sender
 * come into the ring as they came here, so a broker's order is kept. No room is an answer (BUSY) for a broker and a
 * drop for a peer, whose batch is fetched again when a proposal names it.
 */
package io.sealbook.consensus.ingress;
