package io.sealbook.pbft;

/**
 * Signs with the replica's identity key. Deterministic: equal bytes give equal signatures (RFC 6979), so a core can be
 * replayed.
 */
@FunctionalInterface
public interface MessageSigner {
    /** Returns the signature over these bytes; both arrays are the caller's. */
    byte[] sign(byte[] signedBytes);
}
