/**
 * Blocks and batches between peers outside agreement: what this node asks for when it is behind, and what it serves.
 *
 * <p>Transferred blocks are adopted only when a certificate of a quorum covers them by its chain hash and every batch
 * bears its broker's signature, which that hash does not cover.
 */
package io.sealbook.node.transfer;
