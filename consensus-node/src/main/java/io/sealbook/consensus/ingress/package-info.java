/**
 * From received bytes to an admitted batch.
 *
 * <pre>
 *   gateway streams ─┐   ring of IngressSlots
 *                    ├──▶ [ lanes 0..k-1: decode, check, collect, verify ] ────────────▶ [ admission: dedupe, store,
 *   peers' payloads ─┘                                                              │      spread, tell agreement ]
 *                    ╰──▶ [ lanes 0..k-1: decode, check ] ─▶ [ collect, verify ] ───╯          │ Verdict
 *                              for a verifier with a device                                    ▼
 *                                                                              gateway stream / peer's counter
 * </pre>
 *
 * Every batch gets exactly one verdict. Admission is one thread and sees batches in ring order, so a broker's order is
 * kept. A full ring is an answer (BUSY) for a broker and a drop for a peer, whose batch is fetched again when a
 * proposal names it.
 */
package io.sealbook.consensus.ingress;
