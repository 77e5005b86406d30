/**
 * The bytes between nodes once a session stands: fixed-offset header, key, value with one authentication code per receiver, payload
 * (requirement D2; drawn in {@code peer-link/doc/peer-protocol.md}).
 *
 * <pre>
 *   sender    payload ─▶ SHA-256 ─▶ header ‖ key ‖ digest ─▶ HMAC under each pairwise key ─▶ one frame for all receivers
 *   receiver  bytes ─▶ FrameDecoder (lengths) ─▶ FrameAuthenticator (source, counter, code, digest) ─▶ offload or payload handler
 * </pre>
 *
 * Each payload byte is hashed once on either side, whatever the number of receivers.
 */
package io.sealbook.peer.frame;
