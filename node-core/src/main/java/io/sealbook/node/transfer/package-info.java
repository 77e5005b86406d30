/**
 * Blocks and batches between peers outside agreement: the requests of a node that lacks blocks, and its answers to
 * others.
 *
 * <p>Transferred blocks are adopted only when a certificate of a quorum covers them by its chain hash and every batch
 * bears its broker's signature, which that hash does not cover.
 */
package io.sealbook.node.transfer;
