/**
 * What brokers and auditors call, over gRPC: order entry, receipts, blocks, proofs, status.
 *
 * <p>Order entry runs on the event loop and only hands batches to the ingress. Followers are served by one thread that
 * reads committed blocks at each follower's own pace: the archive is their buffer, so a slow one costs no memory, and
 * one that reads nothing for too long is cut with the position to resume from.
 */
package io.sealbook.consensus.gateway;
