/**
 * What a follower believes: committed blocks of one source, which a certificate or f + 1 members confirm before they
 * are stored. No agreement, no clock, no socket.
 *
 * <pre>
 *   blocks, certificates of one source ──▶ FollowedChain ──▶ confirmed blocks, certificates
 *   signed heads of all members ─────────▶
 * </pre>
 */
package io.sealbook.node.follow;
