package io.sealbook.peer.message;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Little-endian fields read from a range that may hold anything: no read leaves it, no count is believed before it
 * fits.
 */
final class WireReader {
    private final DirectBuffer buffer;
    private final int start;
    private final int end;
    private int at;

    WireReader(DirectBuffer buffer, int offset, int length) {
        this.buffer = buffer;
        this.start = offset;
        this.end = offset + length;
        this.at = offset;
    }

    int unsignedByte(String field) throws MalformedMessageException {
        return buffer.getByte(take(Byte.BYTES, field)) & 0xFF;
    }

    int unsignedShort(String field) throws MalformedMessageException {
        return buffer.getShort(take(Short.BYTES, field), ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    boolean flag(String field) throws MalformedMessageException {
        int value = unsignedByte(field);
        if (value > 1) {
            throw malformed(field + " is " + value, Byte.BYTES);
        }
        return value == 1;
    }

    /** Reads a number that the protocol never lets be negative. */
    long natural(String field) throws MalformedMessageException {
        long value = buffer.getLong(take(Long.BYTES, field), ByteOrder.LITTLE_ENDIAN);
        if (value < 0) {
            throw malformed(field + " is " + value, Long.BYTES);
        }
        return value;
    }

    /** Reads an int that must not be negative. */
    int naturalInt(String field) throws MalformedMessageException {
        int value = buffer.getInt(take(Integer.BYTES, field), ByteOrder.LITTLE_ENDIAN);
        if (value < 0) {
            throw malformed(field + " is " + value, Integer.BYTES);
        }
        return value;
    }

    /**
     * Reads how many elements follow.
     *
     * @param elementLengthMin bytes the shortest element takes
     */
    int count(String field, int elementLengthMin) throws MalformedMessageException {
        int value = buffer.getInt(take(Integer.BYTES, field), ByteOrder.LITTLE_ENDIAN);
        if (value < 0 || (long) value * elementLengthMin > end - at) {
            throw malformed(
                    field + " is " + Integer.toUnsignedString(value) + " with " + (end - at) + " bytes left",
                    Integer.BYTES);
        }
        return value;
    }

    /**
     * Reads how many elements follow.
     *
     * @param elementLengthMin bytes the shortest element takes
     * @param countMax elements that a correct sender writes at most
     */
    int count(String field, int elementLengthMin, int countMax) throws MalformedMessageException {
        int value = count(field, elementLengthMin);
        if (value > countMax) {
            throw malformed(field + " is " + value + ", at most " + countMax, Integer.BYTES);
        }
        return value;
    }

    Digest digest(String field) throws MalformedMessageException {
        return Digest.of(bytes(Digest.LENGTH, field));
    }

    byte[] bytes(int length, String field) throws MalformedMessageException {
        int from = take(length, field);
        byte[] bytes = new byte[length];
        buffer.getBytes(from, bytes);
        return bytes;
    }

    /** Throws unless everything has been read. */
    void requireEnd() throws MalformedMessageException {
        if (at != end) {
            throw malformed((end - at) + " bytes too many", 0);
        }
    }

    /** Returns the exception for a field that was just read and has this length. */
    MalformedMessageException malformed(String fact, int fieldLength) {
        return new MalformedMessageException(fact, at - fieldLength - start);
    }

    private int take(int length, String field) throws MalformedMessageException {
        if (length > end - at) {
            throw malformed(field + " needs " + length + " bytes, " + (end - at) + " are left", 0);
        }
        int taken = at;
        at += length;
        return taken;
    }
}
