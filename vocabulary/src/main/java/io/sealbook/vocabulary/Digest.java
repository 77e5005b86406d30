package io.sealbook.vocabulary;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** A SHA-256 digest as a value: immutable, compared by content, ordered as unsigned bytes. */
public final class Digest implements Comparable<Digest> {
    /** Bytes of a digest. */
    public static final int LENGTH = Sha256.LENGTH;

    /** 32 zero bytes: the result digest of an empty chain. */
    public static final Digest ZERO = new Digest(0, 0, 0, 0);

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

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
        return of(bytes, 0);
    }

    /**
     * Returns the digest whose bytes begin at the offset; they are copied.
     *
     * @param bytes hold the digest
     * @param offset of its first byte
     * @throws IndexOutOfBoundsException if the array ends before it
     */
    public static Digest of(byte[] bytes, int offset) {
        return new Digest(
                (long) WORD.get(bytes, offset),
                (long) WORD.get(bytes, offset + 8),
                (long) WORD.get(bytes, offset + 16),
                (long) WORD.get(bytes, offset + 24));
    }

    /** Reads a digest at the buffer's position and advances it, whatever the buffer's byte order. */
    public static Digest read(ByteBuffer buffer) {
        return new Digest(readWord(buffer), readWord(buffer), readWord(buffer), readWord(buffer));
    }

    private static long readWord(ByteBuffer buffer) {
        long word = buffer.getLong();
        return buffer.order() == ByteOrder.BIG_ENDIAN ? word : Long.reverseBytes(word);
    }

    /** Returns SHA-256 over the parts, one after another. */
    public static Digest sha256(byte[]... parts) {
        Sha256 sha256 = new Sha256();
        for (byte[] part : parts) {
            sha256.update(part);
        }
        return sha256.digest();
    }

    /** Returns the bytes; the array is the caller's. */
    public byte[] bytes() {
        byte[] bytes = new byte[LENGTH];
        write(bytes, 0);
        return bytes;
    }

    /** Returns all bytes in hexadecimal, 64 digits. */
    public String hex() {
        return HexFormat.of().formatHex(bytes());
    }

    /**
     * Returns the first eight bytes as a big-endian number: enough to distinguish the digests of one client's batches.
     */
    public long leadingLong() {
        return a;
    }

    /** Writes the bytes at the buffer's position and advances it, whatever the buffer's byte order. */
    public void write(ByteBuffer buffer) {
        writeWord(buffer, a);
        writeWord(buffer, b);
        writeWord(buffer, c);
        writeWord(buffer, d);
    }

    /**
     * Writes the bytes.
     *
     * @param destination receives {@link #LENGTH} bytes
     * @param offset of the first byte that is written
     * @throws IndexOutOfBoundsException if the array ends before the last
     */
    public void write(byte[] destination, int offset) {
        WORD.set(destination, offset, a);
        WORD.set(destination, offset + 8, b);
        WORD.set(destination, offset + 16, c);
        WORD.set(destination, offset + 24, d);
    }

    private static void writeWord(ByteBuffer buffer, long word) {
        buffer.putLong(buffer.order() == ByteOrder.BIG_ENDIAN ? word : Long.reverseBytes(word));
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

    /** Returns bits of the digest, for a table's hash function. */
    public long fold() {
        return a ^ Long.rotateLeft(d, 17);
    }

    /**
     * Returns the same bits of a digest that {@link #put} wrote.
     *
     * @param words hold the digest
     * @param at index of its first word
     */
    public static long fold(long[] words, int at) {
        return words[at] ^ Long.rotateLeft(words[at + 3], 17);
    }

    /**
     * Writes the digest as four words.
     *
     * @param words receive the digest
     * @param at index of the first word
     */
    public void put(long[] words, int at) {
        words[at] = a;
        words[at + 1] = b;
        words[at + 2] = c;
        words[at + 3] = d;
    }

    /**
     * Returns whether {@link #put} wrote this digest there.
     *
     * @param words hold a digest
     * @param at index of its first word
     */
    public boolean isAt(long[] words, int at) {
        return words[at] == a && words[at + 1] == b && words[at + 2] == c && words[at + 3] == d;
    }

    /** Returns the first eight bytes in hexadecimal, enough to distinguish digests in a trace. */
    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(a);
    }
}
