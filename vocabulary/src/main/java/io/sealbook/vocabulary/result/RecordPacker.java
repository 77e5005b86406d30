package io.sealbook.vocabulary.result;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Packs records of one length, each as its difference to the one before: counters move by little, most other fields not
 * at all, so that an execution report of 153 bytes takes about 20. Nothing is lost: equal packed bytes come from equal
 * records only.
 *
 * <p>A record is taken as little-endian words of 8 bytes, the bytes that are left over as one more word. Packed it is
 *
 * <pre>
 *   a bit for each word, low bits first, in whole bytes: whether the word has changed
 *   for each word that has: its difference, zigzag (0, -1, 1, -2, ...), as a little-endian number of
 *       length bytes, length 1..7     difference times 8, plus length
 *       9 bytes                       0, and the difference in 8 bytes, where 7 bytes are not enough
 * </pre>
 *
 * One thread.
 */
public final class RecordPacker {
    /** Bytes that an array must have after the last packed one: words are read and written whole. */
    public static final int SLACK = Long.BYTES;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BYTE_SHIFT = 3;
    private static final int LENGTH_BITS = 3;
    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
    private static final int SHORT_BITS_MAX = 7 * Byte.SIZE - LENGTH_BITS;
    private static final int LONG_LENGTH = 1 + Long.BYTES;

    private final int recordLength;
    private final int wholeWords;
    private final int tailBytes;
    private final int maskBytes;
    private final long[] words;
    /** The record in hand, filled up to whole words. */
    private final byte[] record;

    /** @param recordLength bytes, 8..512 */
    public RecordPacker(int recordLength) {
        this.recordLength = recordLength;
        this.wholeWords = recordLength / Long.BYTES;
        this.tailBytes = recordLength % Long.BYTES;
        this.words = new long[wholeWords + (tailBytes == 0 ? 0 : 1)];
        this.maskBytes = (words.length + Byte.SIZE - 1) / Byte.SIZE;
        this.record = new byte[words.length * Long.BYTES];
    }

    /** Returns the most that one packed record takes. */
    public int packedLengthMax() {
        return maskBytes + words.length * LONG_LENGTH;
    }

    /** Begins anew: the next record is packed or unpacked as the difference to zeros. */
    public void reset() {
        Arrays.fill(words, 0);
    }

    /**
     * Packs a record.
     *
     * @param from holds the record
     * @param offset where the record begins in {@code from}
     * @param out has {@link #packedLengthMax()} + {@link #SLACK} bytes from {@code at} on
     * @param at where the packed record begins in {@code out}
     * @return where the packed record ends
     */
    public int pack(byte[] from, int offset, byte[] out, int at) {
        System.arraycopy(from, offset, record, 0, recordLength);
        long[] before = words;
        int end = at + maskBytes;
        long mask = 0;
        for (int i = 0; i < before.length; i++) {
            long word = (long) LONG.get(record, i * Long.BYTES);
            long difference = word - before[i];
            if (difference != 0) {
                before[i] = word;
                mask |= 1L << i;
                end += put(zigzag(difference), out, end);
            }
        }
        for (int i = 0; i < maskBytes; i++) {
            out[at + i] = (byte) (mask >>> i * Byte.SIZE);
        }
        return end;
    }

    /** Maps 0, -1, 1, -2, ... to 0, 1, 2, 3, ... */
    public static long zigzag(long difference) {
        return difference << 1 ^ difference >> 63;
    }

    /**
     * Writes a difference.
     *
     * @param zigzag the difference as {@link #zigzag} maps it
     * @param out has 9 bytes of room from {@code at} on
     * @param at where it begins
     * @return its length in bytes, 1..9
     */
    public static int put(long zigzag, byte[] out, int at) {
        int zeros = Long.numberOfLeadingZeros(zigzag);
        if (zeros < Long.SIZE - SHORT_BITS_MAX) {
            out[at] = 0;
            LONG.set(out, at + 1, zigzag);
            return LONG_LENGTH;
        }
        int length = Long.SIZE + LENGTH_BITS + Byte.SIZE - 1 - zeros >>> BYTE_SHIFT;
        LONG.set(out, at, zigzag << LENGTH_BITS | length);
        return length;
    }

    /**
     * Unpacks a record; {@link #copy} hands it out.
     *
     * @param in has {@link #packedLengthMax()} + {@link #SLACK} bytes from {@code at} on, whatever they are
     * @param at where the packed record begins
     * @return where the packed record ends
     */
    public int unpack(byte[] in, int at) {
        int end = at + maskBytes;
        for (int i = 0; i < words.length; i++) {
            if ((in[at + i / Byte.SIZE] >>> i % Byte.SIZE & 1) == 0) {
                continue;
            }
            long first = (long) LONG.get(in, end);
            int length = (int) first & LENGTH_MASK;
            long zigzag;
            if (length == 0) {
                zigzag = (long) LONG.get(in, end + 1);
                end += LONG_LENGTH;
            } else {
                zigzag = (first & -1L >>> Long.SIZE - length * Byte.SIZE) >>> LENGTH_BITS;
                end += length;
            }
            words[i] += zigzag >>> 1 ^ -(zigzag & 1);
        }
        return end;
    }

    /**
     * Writes the record unpacked last.
     *
     * @param out has room for a record from {@code at} on
     * @param at where the record begins
     */
    public void copy(byte[] out, int at) {
        for (int i = 0; i < wholeWords; i++) {
            LONG.set(out, at + i * Long.BYTES, words[i]);
        }
        for (int i = 0; i < tailBytes; i++) {
            out[at + wholeWords * Long.BYTES + i] = (byte) (words[wholeWords] >>> i * Byte.SIZE);
        }
    }
}
