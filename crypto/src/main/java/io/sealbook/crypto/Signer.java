package io.sealbook.crypto;

/**
 * Signs messages with one private key.
 *
 * <p>Deterministic: the same message always gets the same signature, because the nonce is derived from key and message (RFC 6979, 3.2)
 * with HMAC over the scheme's own hash. Thread-safe.
 */
public interface Signer {
    SignatureScheme scheme();

    VerificationKey verificationKey();

    /**
     * Writes the signature of a message.
     *
     * @param message read from {@code offset}, {@code length} bytes; stays the caller's
     * @param signature receives r ‖ s ‖ v, {@link SignatureScheme#SIGNATURE_LENGTH} bytes at {@code signatureOffset}; v is the recovery
     *     byte 0..3 of secp256k1 and 0 for SM2
     * @throws IndexOutOfBoundsException if a range does not fit its array; nothing has been written then
     */
    void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset);

    /** Returns the signature of a whole array, 65 new bytes. */
    default byte[] sign(byte[] message) {
        byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
        sign(message, 0, message.length, signature, 0);
        return signature;
    }
}
