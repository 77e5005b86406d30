package io.sealbook.crypto;

/**
 * A faster way to sign than the Java signers, found by {@link java.util.ServiceLoader}. Its constructor and
 * {@link #name} must not touch native code.
 */
public interface SignerProvider {
    /** Returns a short fixed name such as {@code jni}; {@code bc} means the Java signers. */
    String name();

    /**
     * Returns the declared rate in SM2 signatures per second, one at a time on one core, also where the provider is
     * absent; it only ranks providers.
     */
    int signaturesPerSecond();

    /**
     * Opens a signer whose every signature is, byte for byte, the one that the Java signer makes; or reports in one
     * line why there is none.
     *
     * @param key public key of the scalar
     * @param scalar32 private scalar, 32 bytes big-endian, in the scheme's range; the caller overwrites it afterwards
     */
    Opening<Signer> open(VerificationKey key, byte[] scalar32);
}
