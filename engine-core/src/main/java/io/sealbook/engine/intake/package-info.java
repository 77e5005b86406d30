/**
 * The border to the consensus node: committed blocks in, block results out, each through a Chronicle queue. A block
 * itself is read from the node's archive.
 *
 * <pre>
 *   consensus-node ──▶ archive ───────────────▶─┐
 *   consensus-node ──▶ queue/blocks  ──▶ CommittedBlockReader ──▶ matching
 *   consensus-node ◀── queue/results ◀── ResultQueue          ◀── matching
 * </pre>
 */
package io.sealbook.engine.intake;
