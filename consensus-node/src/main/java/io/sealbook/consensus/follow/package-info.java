/**
 * A follower: the blocks of a node, kept and handed to an engine on another machine, without a part in agreement.
 *
 * <pre>
 *   nodes ──blocks, certificates, heads──▶ FeedSource ──▶ FollowCycle ──▶ FollowedChain (node-core)
 *                                                             │ confirmed
 *                                                             ▼
 *                                         archive ──▶ queue/blocks ──▶ engine: queries, reports, market data
 *                                            └──▶ CommittedBlocks ──▶ further followers
 * </pre>
 *
 * One thread decides and stores; gRPC's threads only hand over what has come, and no more than was requested.
 */
package io.sealbook.consensus.follow;
