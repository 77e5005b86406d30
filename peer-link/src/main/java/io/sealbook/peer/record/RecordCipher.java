package io.sealbook.peer.record;

import io.sealbook.peer.handshake.Hkdf;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM (NIST SP 800-38D) over the records of one direction of one connection. The nonce is the number of the
 * record, so that none occurs twice under a key: keys belong to one direction of one session. Records that are lost,
 * repeated or out of order do not open.
 *
 * <p>After {@value #RECORDS_PER_KEY} records the key is renewed by a one-way step, {@code HKDF-Expand(key)}: at most
 * 2^36 bytes are under one key, far below the bound of the mode (2^32 invocations, 2^36 blocks each). One thread.
 */
final class RecordCipher {
    /** Bytes by which a record is longer than its content, beside its header. */
    static final int TAG_LENGTH = 16;

    static final int RECORDS_PER_KEY = 1 << 20;

    private static final String TRANSFORMATION = "AES/GCM/NoPadding";
    private static final int NONCE_LENGTH = 12;
    private static final byte[] RENEWAL_INFO = "sealbook peer record renewal 1".getBytes(StandardCharsets.US_ASCII);

    private final int mode;
    private final int recordsPerKey;
    private final Cipher cipher;
    private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private byte[] key;
    private SecretKeySpec keySpec;
    private long number;

    private RecordCipher(int mode, byte[] key, int recordsPerKey) {
        this.mode = mode;
        this.recordsPerKey = recordsPerKey;
        this.key = key.clone();
        this.keySpec = new SecretKeySpec(this.key, "AES");
        try {
            this.cipher = Cipher.getInstance(TRANSFORMATION);
        } catch (GeneralSecurityException e) {
            throw new BrokenInvariantException("every Java platform has " + TRANSFORMATION, e);
        }
    }

    /**
     * Returns a cipher that closes records.
     *
     * @param key 32 bytes from the handshake
     * @param recordsPerKey records after which the key is renewed, the same on both sides
     */
    static RecordCipher closing(byte[] key, int recordsPerKey) {
        return new RecordCipher(Cipher.ENCRYPT_MODE, key, recordsPerKey);
    }

    /**
     * Returns a cipher that opens records.
     *
     * @param key 32 bytes from the handshake
     * @param recordsPerKey records after which the key is renewed, the same on both sides
     */
    static RecordCipher opening(byte[] key, int recordsPerKey) {
        return new RecordCipher(Cipher.DECRYPT_MODE, key, recordsPerKey);
    }

    /**
     * Closes or opens the next record. It works on arrays: Java's cipher passes the bytes of direct buffers through
     * arrays of its own in small pieces, at a quarter of the speed.
     *
     * @param header of the record, covered and not encrypted
     * @param in begins with its content, or when opening with its ciphertext and tag
     * @param length of what is to be closed or opened, in bytes
     * @param out receives the result from its beginning; another array than {@code in}
     * @return false if the record is not the next one of the other side, or was changed
     */
    boolean apply(byte[] header, byte[] in, int length, byte[] out) {
        if (number > 0 && number % recordsPerKey == 0) {
            key = Hkdf.expand(key, RENEWAL_INFO, key.length);
            keySpec = new SecretKeySpec(key, "AES");
        }
        nonce.putLong(Integer.BYTES, number);
        number++;
        try {
            cipher.init(mode, keySpec, new GCMParameterSpec(Byte.SIZE * TAG_LENGTH, nonce.array()));
            cipher.updateAAD(header);
            cipher.doFinal(in, 0, length, out);
            return true;
        } catch (AEADBadTagException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new BrokenInvariantException("a record of " + length + " bytes cannot be computed", e);
        }
    }
}
