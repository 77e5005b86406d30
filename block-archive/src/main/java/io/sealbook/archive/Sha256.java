package io.sealbook.archive;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, the chain's hash function. */
final class Sha256 {
    /** Bytes of a hash. */
    static final int LENGTH = 32;

    private Sha256() {}

    /** Returns a fresh digest; it belongs to one thread at a time. */
    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static byte[] of(byte[] bytes) {
        return digest().digest(bytes);
    }
}
