/**
 * Between the node's process and its engine's: one Chronicle queue each way.
 *
 * <pre>
 *   committer ──▶ queue/blocks  ──▶ engine     one excerpt a block: the archive's bytes, nothing around them
 *   node      ◀── queue/results ◀── engine     one excerpt a block: SBE BlockResult
 * </pre>
 *
 * Both queues are projections: what queue/blocks lacks is appended again from the archive at start.
 */
package io.sealbook.consensus.handoff;
