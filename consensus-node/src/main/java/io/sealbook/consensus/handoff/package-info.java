/**
 * Between the node's process and its engine's: one Chronicle queue each way.
 *
 * <pre>
 *   committer ──▶ queue/blocks  ──▶ engine     one excerpt a block: where it lies in the archive (BlockLocation)
 *   node      ◀── queue/results ◀── engine     one excerpt a block: SBE BlockResult
 * </pre>
 *
 * Both queues are projections: what queue/blocks lacks is handed over again at start. The engine reads the blocks themselves from the
 * archive's files, so that each is written once.
 */
package io.sealbook.consensus.handoff;
