/**
 * The border to the consensus node: committed blocks in, block results out, each through a Chronicle queue.
 *
 * <pre>
 *   consensus-node ──▶ queue/blocks  ──▶ CommittedBlockReader ──▶ matching
 *   consensus-node ◀── queue/results ◀── ResultQueue          ◀── matching
 * </pre>
 */
package io.sealbook.engine.intake;
