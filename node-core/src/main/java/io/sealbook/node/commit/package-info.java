/**
 * From an agreed proposal to a block in the archive and in the engine's queue.
 *
 * <pre>
 *   agent ──Deliver──────────▶ Committer ──▶ archive ──▶ queue/blocks ──▶ CommittedBlocks
 *   peers ──transferred blocks──▶   │
 *                                   └──▶ agent: BlockTransferred, StateTransferred
 * </pre>
 *
 * One thread appends: the committer's own, or the agent's when the two share one.
 */
package io.sealbook.node.commit;
