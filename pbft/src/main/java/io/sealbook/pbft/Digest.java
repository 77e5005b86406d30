package io.sealbook.pbft;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 digest as a value: immutable, compared by content, ordered as unsigned bytes. */
public final class Digest implements Comparable<Digest> {
    /** Bytes of a digest. */
    public static final int LENGTH = 32;

    /** 32 zero bytes: the result digest of an empty chain. */
    public static final Digest ZERO = new Digest(0, 0, 0, 0);

    private final long a;
    private final long b;
    private final long c;
    private final long d;

    private Digest(long a, long b, long c, long d) {
        this.a = a;
        this.b = b;
        this.c = c;
        this.d = d;
    }

    /**
     * Returns the digest with these bytes, which are copied.
     *
     * @throws IllegalArgumentException unless there are {@link #LENGTH} of them
     */
    public static Digest of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a digest has " + LENGTH + " bytes, not " + bytes.length);
        }
        return read(ByteBuffer.wrap(bytes));
    }

    /** Reads a digest at the buffer's position and advances it. */
    public static Digest read(ByteBuffer buffer) {
        ByteBuffer bigEndian = buffer.duplicate();
        Digest digest = new Digest(bigEndian.getLong(), bigEndian.getLong(), bigEndian.getLong(), bigEndian.getLong());
        buffer.position(bigEndian.position());
        return digest;
    }

    /** Returns SHA-256 over the parts, one after another. */
    public static Digest sha256(byte[]... parts) {
        MessageDigest sha256 = newSha256();
        for (byte[] part : parts) {
            sha256.update(part);
        }
        return of(sha256.digest());
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Returns the bytes; the array is the caller's. */
    public byte[] bytes() {
        byte[] bytes = new byte[LENGTH];
        write(ByteBuffer.wrap(bytes));
        return bytes;
    }

    /** Returns the first eight bytes as a big-endian number: enough to tell the digests of one client's batches apart. */
    public long leadingLong() {
        return a;
    }

    /** Writes the bytes at the buffer's position and advances it, whatever the buffer's byte order. */
    public void write(ByteBuffer buffer) {
        ByteBuffer bigEndian = buffer.duplicate();
        bigEndian.putLong(a).putLong(b).putLong(c).putLong(d);
        buffer.position(bigEndian.position());
    }

    @Override
    public int compareTo(Digest other) {
        int order = Long.compareUnsigned(a, other.a);
        order = order != 0 ? order : Long.compareUnsigned(b, other.b);
        order = order != 0 ? order : Long.compareUnsigned(c, other.c);
        return order != 0 ? order : Long.compareUnsigned(d, other.d);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Digest digest && a == digest.a && b == digest.b && c == digest.c && d == digest.d;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(fold());
    }

    /** Returns bits of the digest, to be hashed further. */
    long fold() {
        return a ^ Long.rotateLeft(d, 17);
    }

    /** Does the same for a digest that {@link #put} wrote. */
    static long fold(long[] words, int at) {
        return words[at] ^ Long.rotateLeft(words[at + 3], 17);
    }

    /** Writes the digest as four words. */
    void put(long[] words, int at) {
        words[at] = a;
        words[at + 1] = b;
        words[at + 2] = c;
        words[at + 3] = d;
    }

    /** Tells whether {@link #put} wrote this digest there. */
    boolean isAt(long[] words, int at) {
        return words[at] == a && words[at + 1] == b && words[at + 2] == c && words[at + 3] == d;
    }

    /** Returns the first eight bytes in hexadecimal, enough to tell digests apart in a trace. */
    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(a);
    }
}
