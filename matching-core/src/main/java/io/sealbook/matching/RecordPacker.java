package io.sealbook.matching;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Packs records of one length, each as its difference to the one before: counters move by little, most other fields not at all, so that
 * an execution report of 153 bytes takes about 25. Nothing is lost: equal packed bytes come from equal records only.
 *
 * <p>A record is taken as little-endian words of 8 bytes, the bytes that are left over as one more word. Packed it is
 *
 * <pre>
 *   for each word, 4 bits, low bits first: how many bytes its difference takes, 0..8
 *   for each word: that many low bytes of the difference, zigzag: 0, -1, 1, -2, ...
 * </pre>
 *
 * One thread.
 */
public final class RecordPacker {
    /** Beyond the last packed byte an array must have so many more: words are read and written whole. */
    public static final int SLACK = Long.BYTES;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int LENGTHS_PER_WORD = 16;

    private final int wholeWords;
    private final int tailBytes;
    private final int lengthBytes;
    private final long[] words;

    /** @param recordLength bytes, at least 8 */
    public RecordPacker(int recordLength) {
        this.wholeWords = recordLength / Long.BYTES;
        this.tailBytes = recordLength % Long.BYTES;
        this.words = new long[wholeWords + (tailBytes == 0 ? 0 : 1)];
        this.lengthBytes = (words.length + 1) / 2;
    }

    /** Returns the most that one packed record takes. */
    public int packedLengthMax() {
        return lengthBytes + words.length * Long.BYTES;
    }

    /** Begins anew: the next record is packed or unpacked as the difference to zeros. */
    public void reset() {
        Arrays.fill(words, 0);
    }

    /**
     * Packs a record.
     *
     * @param out has {@link #packedLengthMax()} + {@link #SLACK} bytes from {@code at} on
     * @return where the packed record ends
     */
    public int pack(DirectBuffer record, int offset, byte[] out, int at) {
        int lengthsAt = at;
        int end = at + lengthBytes;
        long lengths = 0;
        for (int i = 0; i < words.length; i++) {
            long word = i < wholeWords
                    ? record.getLong(offset + i * Long.BYTES, ByteOrder.LITTLE_ENDIAN)
                    : tail(record, offset + i * Long.BYTES);
            long difference = word - words[i];
            words[i] = word;
            long zigzag = difference << 1 ^ difference >> 63;
            int length = Long.BYTES - (Long.numberOfLeadingZeros(zigzag) >>> 3);
            LONG.set(out, end, zigzag);
            end += length;
            lengths |= (long) length << 4 * (i % LENGTHS_PER_WORD);
            if (i % LENGTHS_PER_WORD == LENGTHS_PER_WORD - 1) {
                LONG.set(out, lengthsAt, lengths);
                lengthsAt += Long.BYTES;
                lengths = 0;
            }
        }
        for (; lengthsAt < at + lengthBytes; lengthsAt++) {
            out[lengthsAt] = (byte) lengths;
            lengths >>>= Byte.SIZE;
        }
        return end;
    }

    /**
     * Unpacks a record; {@link #copy} hands it out.
     *
     * @param in has {@link #packedLengthMax()} + {@link #SLACK} bytes from {@code at} on, whatever they are
     * @return where the packed record ends
     */
    public int unpack(byte[] in, int at) {
        int end = at + lengthBytes;
        for (int i = 0; i < words.length; i++) {
            int length = in[at + i / 2] >>> 4 * (i % 2) & 0xF;
            long zigzag = (long) LONG.get(in, end) & lowBytes(length);
            words[i] += zigzag >>> 1 ^ -(zigzag & 1);
            end += Math.min(length, Long.BYTES);
        }
        return end;
    }

    /** Writes the record unpacked last. */
    public void copy(byte[] out, int at) {
        for (int i = 0; i < wholeWords; i++) {
            LONG.set(out, at + i * Long.BYTES, words[i]);
        }
        for (int i = 0; i < tailBytes; i++) {
            out[at + wholeWords * Long.BYTES + i] = (byte) (words[wholeWords] >>> i * Byte.SIZE);
        }
    }

    private long tail(DirectBuffer record, int offset) {
        long word = 0;
        for (int i = 0; i < tailBytes; i++) {
            word |= (record.getByte(offset + i) & 0xFFL) << i * Byte.SIZE;
        }
        return word;
    }

    private static long lowBytes(int length) {
        return length == 0 ? 0 : -1L >>> Math.max(0, Long.SIZE - length * Byte.SIZE);
    }
}
