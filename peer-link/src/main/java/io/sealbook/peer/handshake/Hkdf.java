package io.sealbook.peer.handshake;

import io.sealbook.vocabulary.BrokenInvariantException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF with HMAC-SHA-256 (RFC 5869). */
public final class Hkdf {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int HASH_LENGTH = 32;

    private Hkdf() {}

    /** Returns a pseudorandom key (RFC 5869, 2.2). */
    static byte[] extract(byte[] salt, byte[] inputKey) {
        return mac(salt.length == 0 ? new byte[HASH_LENGTH] : salt).doFinal(inputKey);
    }

    /**
     * Returns output keying material (RFC 5869, 2.3).
     *
     * @param pseudoRandomKey at least 32 bytes
     * @param info context of the key; may be empty
     * @param length 1..8160 bytes
     */
    public static byte[] expand(byte[] pseudoRandomKey, byte[] info, int length) {
        if (length < 1 || length > 255 * HASH_LENGTH) {
            throw new IllegalArgumentException("HKDF output of " + length + " bytes");
        }
        Mac mac = mac(pseudoRandomKey);
        byte[] output = new byte[length];
        byte[] block = {};
        for (int done = 0, counter = 1; done < length; done += HASH_LENGTH, counter++) {
            mac.update(block);
            mac.update(info);
            mac.update((byte) counter);
            block = mac.doFinal();
            System.arraycopy(block, 0, output, done, Math.min(HASH_LENGTH, length - done));
        }
        Arrays.fill(block, (byte) 0);
        return output;
    }

    static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new BrokenInvariantException("every Java platform has " + ALGORITHM, e);
        }
    }
}
