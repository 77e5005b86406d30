package io.sealbook.crypto;

/**
 * Signs messages with one private key.
 *
 * <p>Deterministic: the same message always gets the same signature, because the nonce is derived from key and message
 * (RFC 6979, 3.2) with HMAC over the scheme's own hash. Only a hardware module chooses nonces of its own. Thread-safe.
 */
public interface Signer {
    SignatureScheme scheme();

    VerificationKey verificationKey();

    /**
     * Writes the signature of a message.
     *
     * @param message read from {@code offset}, {@code length} bytes; stays the caller's
     * @param offset first byte of the message
     * @param length bytes of the message
     * @param signature receives r ‖ s ‖ v, {@link SignatureScheme#SIGNATURE_LENGTH} bytes at {@code signatureOffset}; v
     *     is the recovery byte 0..3 of secp256k1 and 0 for SM2
     * @param signatureOffset first byte of the signature
     * @throws IndexOutOfBoundsException if a range does not fit its array; nothing has been written then
     */
    void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset);

    /**
     * Writes the signatures of several messages of one length, each as {@link #sign(byte[], int, int, byte[], int)}
     * makes it. A native signer takes a fraction of the time that one at a time would take.
     *
     * @param messages {@code count} messages of {@code messageLength} bytes, one after another; stays the caller's
     * @param messageLength bytes of each message
     * @param count number of messages
     * @param signatures receives as many signatures of {@link SignatureScheme#SIGNATURE_LENGTH} bytes, one after
     *     another
     * @throws IndexOutOfBoundsException if either array is too short or a number is negative; nothing has been written
     *     then
     */
    default void signAll(byte[] messages, int messageLength, int count, byte[] signatures) {
        checkSignAll(messages, messageLength, count, signatures);
        for (int i = 0; i < count; i++) {
            sign(messages, i * messageLength, messageLength, signatures, i * SignatureScheme.SIGNATURE_LENGTH);
        }
    }

    /**
     * Checks the arguments of {@link #signAll}.
     *
     * @param messages {@code count} messages of {@code messageLength} bytes
     * @param messageLength bytes of each message
     * @param count number of messages
     * @param signatures room for as many signatures
     * @throws IndexOutOfBoundsException if either array is too short or a number is negative
     */
    static void checkSignAll(byte[] messages, int messageLength, int count, byte[] signatures) {
        if (messageLength < 0
                || count < 0
                || (long) messageLength * count > messages.length
                || (long) SignatureScheme.SIGNATURE_LENGTH * count > signatures.length) {
            throw new IndexOutOfBoundsException(count + " messages of " + messageLength + " bytes in " + messages.length
                    + " bytes, signatures in " + signatures.length);
        }
    }

    /** Returns the signature of a whole array, 65 new bytes. */
    default byte[] sign(byte[] message) {
        byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
        sign(message, 0, message.length, signature, 0);
        return signature;
    }
}
