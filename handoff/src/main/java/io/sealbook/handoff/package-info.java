/**
 * Between the node's process and its engine's: one Chronicle queue each way.
 *
 * <pre>
 *   node ──HandOffWriter──▶ queue/blocks  ──HandOffReader──▶ engine   one excerpt per block: HandedBlock
 *   node ◀──HandOffReader── queue/results ◀──HandOffWriter── engine   one excerpt per block: BlockResult
 * </pre>
 *
 * Both shells use these classes, so that neither can differ from the other in a byte or a setting. What a gap or a
 * contradiction means is decided in the shells.
 */
package io.sealbook.handoff;
