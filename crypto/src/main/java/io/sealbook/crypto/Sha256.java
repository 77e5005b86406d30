package io.sealbook.crypto;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 of the JDK, which uses the processor's SHA instructions where there are any. */
final class Sha256 {
    private Sha256() {}

    static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static byte[] of(byte[] message, int offset, int length) {
        MessageDigest digest = newDigest();
        digest.update(message, offset, length);
        return digest.digest();
    }
}
