/**
 * What one node decides around agreement, as parts that a shell drives: it owns the threads, and calls each part from
 * the one that the part names.
 *
 * <pre>
 *   brokers ─▶ DecodeStage ─▶ SignatureStage ─▶ Admission ─▶ Spreading ─▶ peers
 *   peers ───────▲                   │
 *   peers' votes ─────────────────▶ ReplicaCycle ─▶ Committer ─▶ archive ─▶ BlockSink ─▶ engine
 *   engine's results ─▶ Checkpointing ─▲  ▲             │
 *   peers' blocks ─▶ ExpectedBlocks ──────┼─▶ StateTransfer
 *                                         └─ BlockTransferred, StateTransferred
 * </pre>
 */
package io.sealbook.node;
