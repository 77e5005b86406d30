package io.sealbook.vocabulary.result;

import io.sealbook.vocabulary.Sha256;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * One leaf of a block's result tree: a run of one broker's results, in the order of its reports. Each result belongs to
 * one report, so that the first sequence numbers all of them.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       1       0x00, a leaf (RFC 6962 section 2.1)
 *   1       4       broker id
 *   5       8       report sequence of the first
 *   13      32 x n  1..{@link #RUN_MAX} cells, see {@link ResultCell}
 * </pre>
 *
 * The hash of the leaf is SHA-256 of these bytes.
 */
public final class ResultLeaf {
    /** Number of results in a run at most. */
    public static final int RUN_MAX = 256;

    /** Bytes of a leaf before its cells. */
    public static final int HEADER_LENGTH = 13;

    private static final byte LEAF = 0;
    private static final int BROKER_OFFSET = 1;
    private static final int SEQUENCE_OFFSET = 5;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private ResultLeaf() {}

    /**
     * Writes the header of a leaf.
     *
     * @param out has {@link #HEADER_LENGTH} bytes from its start on
     * @param brokerId whose results
     * @param firstSequence report sequence of the first
     */
    public static void begin(byte[] out, int brokerId, long firstSequence) {
        out[0] = LEAF;
        INT.set(out, BROKER_OFFSET, brokerId);
        LONG.set(out, SEQUENCE_OFFSET, firstSequence);
    }

    /**
     * Returns the hash of a leaf.
     *
     * @param brokerId whose results
     * @param firstSequence report sequence of the first
     * @param cells all of the run; not changed
     * @return 32 bytes
     */
    public static byte[] hash(int brokerId, long firstSequence, byte[] cells) {
        byte[] header = new byte[HEADER_LENGTH];
        begin(header, brokerId, firstSequence);
        return new Sha256().update(header).update(cells).digestBytes();
    }
}
