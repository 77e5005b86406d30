package io.sealbook.vocabulary;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 of the JDK, which uses the processor's SHA instructions if there are any: the hash of batch ids, blocks and
 * results. An instance is reusable; it belongs to one thread at a time.
 */
public final class Sha256 {
    /** Bytes of a hash. */
    public static final int LENGTH = 32;

    private final MessageDigest digest = newDigest();

    /** Returns a fresh hash function of the JDK, for interfaces that ask for one. */
    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new BrokenInvariantException("every Java platform has SHA-256", e);
        }
    }

    /** Returns the hash of an array. */
    public static byte[] of(byte[] bytes) {
        return newDigest().digest(bytes);
    }

    /**
     * Returns the hash of a part of an array.
     *
     * @param bytes not changed
     * @param offset of the first byte
     * @param length in bytes
     */
    public static byte[] of(byte[] bytes, int offset, int length) {
        MessageDigest digest = newDigest();
        digest.update(bytes, offset, length);
        return digest.digest();
    }

    /** Forgets the message that was begun. */
    public Sha256 reset() {
        digest.reset();
        return this;
    }

    /** Adds one byte to the message. */
    public Sha256 update(byte value) {
        digest.update(value);
        return this;
    }

    /** Adds an array to the message. */
    public Sha256 update(byte[] bytes) {
        digest.update(bytes);
        return this;
    }

    /**
     * Adds a part of an array to the message.
     *
     * @param bytes not changed and not kept
     * @param offset of the first byte
     * @param length in bytes
     */
    public Sha256 update(byte[] bytes, int offset, int length) {
        digest.update(bytes, offset, length);
        return this;
    }

    /** Adds the remaining bytes of a buffer to the message, and advances its position. */
    public Sha256 update(ByteBuffer bytes) {
        digest.update(bytes);
        return this;
    }

    /** Returns the hash of the message and begins a new one. */
    public Digest digest() {
        return Digest.of(digest.digest());
    }

    /** Returns the hash of the message as an array, which is the caller's, and begins a new one. */
    public byte[] digestBytes() {
        return digest.digest();
    }

    /**
     * Writes the hash of the message and begins a new one.
     *
     * @param destination receives {@link #LENGTH} bytes; it may hold bytes of the message
     * @param offset of the first byte that is written
     * @throws IllegalArgumentException if the array ends before
     */
    public void digest(byte[] destination, int offset) {
        try {
            digest.digest(destination, offset, LENGTH);
        } catch (DigestException e) {
            throw new BrokenInvariantException("a SHA-256 has " + LENGTH + " bytes", e);
        }
    }
}
