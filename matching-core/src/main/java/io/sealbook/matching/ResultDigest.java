package io.sealbook.matching;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The chain over all outputs: {@code digest(n) = SHA-256(digest(n - 1) || messages of block n in the order emitted)}, digest(0) is
 * zero. A block without outputs moves the chain too.
 */
final class ResultDigest {
    static final int LENGTH = 32;

    private final MessageDigest sha256 = newSha256();
    private final byte[] value = new byte[LENGTH];

    static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    void beginBlock() {
        sha256.reset();
        sha256.update(value);
    }

    void update(byte[] bytes, int offset, int length) {
        sha256.update(bytes, offset, length);
    }

    void endBlock() {
        try {
            sha256.digest(value, 0, LENGTH);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 gives " + LENGTH + " bytes", e);
        }
    }

    void get(byte[] destination, int offset) {
        System.arraycopy(value, 0, destination, offset, LENGTH);
    }

    void set(byte[] source, int offset) {
        System.arraycopy(source, offset, value, 0, LENGTH);
    }
}
