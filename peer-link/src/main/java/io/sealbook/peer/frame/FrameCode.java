package io.sealbook.peer.frame;

import io.sealbook.peer.handshake.Hkdf;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/**
 * The authentication code of one direction of one link.
 *
 * <p>The key of a session is renewed every {@code framesPerKey} frames of the sender by a one-way step,
 * {@code HKDF-Expand(key)}: a key that is taken from memory forges no earlier frame. Both sides step by the frame
 * counter, without a message. One thread.
 */
public final class FrameCode {
    /** A peer may be ahead by this many keys; its heartbeats keep an idle link far below. */
    private static final long RENEWALS_AHEAD_MAX = 16;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int MAC_LENGTH = 32;
    private static final byte[] RENEWAL_INFO = "sealbook peer renewal 1".getBytes(StandardCharsets.US_ASCII);

    private final long framesPerKey;
    private final byte[] output = new byte[MAC_LENGTH];
    private byte[] key;
    private Mac mac;
    private long epoch;

    /**
     * @param key 32 bytes from the handshake
     * @param counter the sender's counter when the key was made
     */
    public FrameCode(byte[] key, long counter, long framesPerKey) {
        this.framesPerKey = framesPerKey;
        this.key = key.clone();
        this.mac = mac(this.key);
        this.epoch = counter / framesPerKey;
    }

    /**
     * Computes the code of a frame about to be sent.
     *
     * @param covered {@link Frame#COVERED_LENGTH} bytes
     * @return holds the code in its first {@link Frame#CODE_LENGTH} bytes until the next call
     */
    byte[] compute(byte[] covered, long counter) {
        advanceTo(counter / framesPerKey);
        return code(mac, covered);
    }

    /** Returns whether {@code code} is right for these bytes; a wrong one changes nothing. */
    boolean isCodeOf(byte[] covered, long counter, byte[] code) {
        long ahead = counter / framesPerKey - epoch;
        if (ahead < 0 || ahead > RENEWALS_AHEAD_MAX) {
            return false;
        }
        byte[] candidate = key;
        for (long i = 0; i < ahead; i++) {
            candidate = renewed(candidate);
        }
        if (!isEqual(code(ahead == 0 ? mac : mac(candidate), covered), code)) {
            return false;
        }
        advanceTo(counter / framesPerKey);
        return true;
    }

    private void advanceTo(long wanted) {
        if (epoch == wanted) {
            return;
        }
        for (; epoch < wanted; epoch++) {
            key = renewed(key);
        }
        mac = mac(key);
    }

    private byte[] code(Mac with, byte[] covered) {
        with.update(covered, 0, Frame.COVERED_LENGTH);
        try {
            with.doFinal(output, 0);
        } catch (ShortBufferException e) {
            throw new BrokenInvariantException("code of " + ALGORITHM + " is longer than " + MAC_LENGTH, e);
        }
        return output;
    }

    /** Compares in constant time: the first difference must not show in how long the answer takes. */
    private static boolean isEqual(byte[] computed, byte[] given) {
        int difference = 0;
        for (int i = 0; i < Frame.CODE_LENGTH; i++) {
            difference |= computed[i] ^ given[i];
        }
        return difference == 0;
    }

    private static byte[] renewed(byte[] key) {
        return Hkdf.expand(key, RENEWAL_INFO, key.length);
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new BrokenInvariantException("every Java platform has " + ALGORITHM, e);
        }
    }
}
