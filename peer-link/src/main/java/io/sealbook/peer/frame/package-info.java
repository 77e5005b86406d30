/**
 * The bytes between nodes in an established session: fixed-offset header, key, value with one authentication code per
 * receiver, payload (peer-link/doc/peer-protocol.md, section 2).
 *
 * <pre>
 *   sender    payload ─▶ SHA-256 ─▶ header ‖ key ‖ digest ─▶ HMAC under each pairwise key ─▶ one frame for all
 *   receiver  bytes ─▶ FrameDecoder (lengths) ─▶ FrameAuthenticator (source, counter, code, digest)
 *                                             ─▶ offload or payload handler
 * </pre>
 *
 * Each payload byte is hashed once on either side, whatever the number of receivers.
 */
package io.sealbook.peer.frame;
