/**
 * The handshake, a pure exchange of byte strings: two nodes prove their identities and agree on keys.
 *
 * <pre>
 *   dialer (higher id)                                   acceptor (lower id)
 *   HELLO  version, role, ids, epoch, chain, genesis digest,
 *          frame counter, nonce, X25519 key  ──────────▶ checks all of it
 *                                            ◀────────── HELLO, the same, + signature over both hellos
 *   checks, derives keys
 *   AUTH   signature over everything so far,
 *          confirmation code                 ──────────▶ checks, derives keys
 *                                            ◀────────── CONFIRM confirmation code
 *   either side may answer REJECT reason, own genesis digest; it proves nothing and is only logged
 * </pre>
 *
 * The shape is SIGMA with the identities in clear: each side signs both ephemeral keys and both nonces with its node
 * identity, then proves by a code that it derived the same keys. Keys exist for one connection only, so nothing
 * recorded from another one verifies.
 */
package io.sealbook.peer.handshake;
