package io.sealbook.archive.proof;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * What the files of all kinds of proofs have in common. Numbers are little-endian.
 *
 * <pre>
 *   offset  length  meaning
 *   0       8       magic of the kind
 *   8       4       version
 *   12      ...     body
 *   ...     4       CRC32C of everything before
 * </pre>
 *
 * Immutable; any thread.
 */
public final class ProofFormat {
    private static final int MAGIC_LENGTH = 8;

    private final byte[] magic;
    private final int version;
    private final String subject;

    /**
     * Describes a kind of proof.
     *
     * @param magic eight ASCII characters
     * @param version of the body
     * @param subject names the kind in messages
     */
    public ProofFormat(String magic, int version, String subject) {
        this.magic = magic.getBytes(StandardCharsets.US_ASCII);
        this.version = version;
        this.subject = subject;
    }

    /** Returns whether bytes begin as a file of this kind does. */
    public boolean matches(byte[] bytes) {
        return bytes.length >= MAGIC_LENGTH && Arrays.equals(Arrays.copyOf(bytes, MAGIC_LENGTH), magic);
    }

    /** Begins a file; the caller puts as many bytes of the body as it names here, then {@link #end}. */
    public ByteBuffer begin(int bodyLength) {
        return ByteBuffer.allocate(MAGIC_LENGTH + Integer.BYTES + bodyLength + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(magic)
                .putInt(version);
    }

    /** Ends a file and returns its bytes, which are the buffer's. */
    public byte[] end(ByteBuffer buffer) {
        buffer.putInt(crc(buffer.array(), buffer.position()));
        return buffer.array();
    }

    /** Writes the body of a file. */
    public interface Body {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Writes a file without having all of it in memory.
     *
     * @param out stays open
     * @param body is called once
     */
    public void write(OutputStream out, Body body) throws IOException {
        CRC32C crc = new CRC32C();
        OutputStream checked = new CheckedOutputStream(out, crc);
        checked.write(magic);
        writeInt(checked, version);
        body.writeTo(checked);
        writeInt(out, (int) crc.getValue());
    }

    /**
     * Writes a number of a body.
     *
     * @param out stays open
     * @param value of 32 bits
     */
    public static void writeInt(OutputStream out, int value) throws IOException {
        out.write(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array());
    }

    /**
     * Writes a number of a body.
     *
     * @param out stays open
     * @param value of 64 bits
     */
    public static void writeLong(OutputStream out, long value) throws IOException {
        out.write(ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array());
    }

    /**
     * Reads a file.
     *
     * @param bytes of the file
     * @param body reads the body from its first byte to its last
     * @throws IllegalArgumentException if the bytes are none of this kind, are damaged or have bytes after the body;
     *     the message names the fact
     */
    public <T> T decode(byte[] bytes, Function<ByteBuffer, T> body) {
        require(matches(bytes), "magic is not " + new String(magic, StandardCharsets.US_ASCII));
        ByteBuffer buffer =
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(MAGIC_LENGTH);
        try {
            int found = buffer.getInt();
            require(found == version, "version " + found + ", expected " + version);
            checkCrc(bytes);
            T proof = body.apply(buffer);
            require(buffer.remaining() == Integer.BYTES, buffer.remaining() - Integer.BYTES + " bytes too many");
            return proof;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(subject + ": ends after " + bytes.length + " bytes", e);
        }
    }

    /**
     * Takes a length.
     *
     * @param buffer positioned at the length
     * @param max largest length that is believed
     * @param field names it in the message
     * @throws IllegalArgumentException if it is outside 0..max
     */
    public int takeLength(ByteBuffer buffer, int max, String field) {
        int length = buffer.getInt();
        require(length >= 0 && length <= max, field + " " + length + ", expected 0.." + max);
        return length;
    }

    /**
     * Takes bytes.
     *
     * @param buffer positioned at the first
     * @param length how many
     * @throws BufferUnderflowException if there are fewer, before any memory is taken for them
     */
    public static byte[] take(ByteBuffer buffer, int length) {
        if (buffer.remaining() < length) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }

    /**
     * Checks a fact about a proof of this kind.
     *
     * @param condition that must hold
     * @param fact the message, if it does not
     * @throws IllegalArgumentException if it does not
     */
    public void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(subject + ": " + fact);
        }
    }

    private void checkCrc(byte[] bytes) {
        int at = bytes.length - Integer.BYTES;
        require(at >= MAGIC_LENGTH, "ends after " + bytes.length + " bytes");
        int expected = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
        int found = crc(bytes, at);
        require(
                expected == found,
                String.format(Locale.ROOT, "damaged: CRC32C expected %08x, found %08x", expected, found));
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
