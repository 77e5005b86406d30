package io.sealbook.vocabulary.result;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bytes of a run: the reports of one broker in one block, up to {@link #COUNT_MAX} of them in a row, as results and
 * details. Engines keep and send these bytes. With them each report can be made, and nothing else is needed.
 *
 * <pre>
 *   offset  length   meaning (little-endian)
 *   0       4        broker id
 *   4       4        n: number of reports, 1..{@link #COUNT_MAX}
 *   8       8        report sequence of the first
 *   16      8        block
 *   24      8        block time, ns since the epoch
 *   32      8        ExecID(17) of the last report before the block, of whichever broker
 *   40      32 x n   cells, see {@link ResultCell}
 *   ...     ...      n details: what a report has and its cell, and the cells before in the run, have not
 * </pre>
 *
 * A detail consists of words of 8 bytes. The first has the number of the report in its block, from 1, of whichever
 * broker (4 bytes, added to the ExecID before the block); then action, side, ordType and timeInForce (a byte each).
 *
 * <pre>
 *   event                          words after the first
 *   ACCEPTED                       place, clOrdId, price
 *   REPLACED, CANCELED, EXPIRED    place, clOrdId, origClOrdId, price; cumValue if CumQty(14) is not 0
 *   CANCEL_REJECTED                the same; without an order: place, clOrdId, origClOrdId, price, quantity
 *   REJECTED, MASS_CANCELED        place, clOrdId, origClOrdId, price, quantity
 *   RESTING_FILL                   place, clOrdId, price, quantity, cumQty, cumValue
 *   INCOMING_FILL                  place, clOrdId, price, quantity, cumQty, cumValue, orderId
 *   INCOMING_FILL, CANCELED of     none: the order is that of the last ACCEPTED, REPLACED or INCOMING_FILL of the
 *   the order in hand              same cause in this run, and has changed by the fills after it alone
 * </pre>
 *
 * Place is accountId (4 bytes), instrumentId (4 bytes). CumQty and cumValue are those after the event.
 */
public final class ReportRun {
    /** Number of reports in a run at most. */
    public static final int COUNT_MAX = ResultLeaf.RUN_MAX;

    /** Bytes of a run before its cells. */
    public static final int HEADER_LENGTH = 40;

    /** Bytes of the longest detail. */
    public static final int DETAIL_LENGTH_MAX = 8 * Long.BYTES;

    /** Bytes of the longest run. */
    public static final int LENGTH_MAX = HEADER_LENGTH + COUNT_MAX * (ResultCell.LENGTH + DETAIL_LENGTH_MAX);

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int COUNT_OFFSET = 4;
    private static final int FIRST_OFFSET = 8;
    private static final int BLOCK_OFFSET = 16;
    private static final int TIME_OFFSET = 24;
    private static final int EXEC_ID_OFFSET = 32;

    private ReportRun() {}

    /**
     * The facts of a run besides its results.
     *
     * @param brokerId whose reports
     * @param count how many they are, 1..{@link #COUNT_MAX}
     * @param first report sequence of the first
     * @param block all of them belong to
     * @param blockTimeNs its time, ns since the epoch
     * @param execIdBefore ExecID of the last report before the block
     */
    public record Header(int brokerId, int count, long first, long block, long blockTimeNs, long execIdBefore) {
        /** Returns the report sequence after the last. */
        public long end() {
            return first + count;
        }
    }

    /**
     * Writes the header of a run. Allocates nothing.
     *
     * @param out has {@link #HEADER_LENGTH} bytes from {@code at} on
     * @param at where the run begins
     * @param brokerId whose reports
     * @param count of reports
     * @param first report sequence of the first
     */
    public static void begin(byte[] out, int at, int brokerId, int count, long first) {
        INT.set(out, at, brokerId);
        INT.set(out, at + COUNT_OFFSET, count);
        LONG.set(out, at + FIRST_OFFSET, first);
    }

    /**
     * Writes what a header has of the block. Allocates nothing.
     *
     * @param out has {@link #HEADER_LENGTH} bytes from {@code at} on
     * @param at where the run begins
     * @param block all reports belong to
     * @param blockTimeNs its time, ns since the epoch
     * @param execIdBefore ExecID of the last report before the block
     */
    public static void putBlock(byte[] out, int at, long block, long blockTimeNs, long execIdBefore) {
        LONG.set(out, at + BLOCK_OFFSET, block);
        LONG.set(out, at + TIME_OFFSET, blockTimeNs);
        LONG.set(out, at + EXEC_ID_OFFSET, execIdBefore);
    }

    /**
     * Reads the header of a run.
     *
     * @param bytes contain the run
     * @param at where it begins
     * @param length of the run in bytes
     * @throws IllegalArgumentException if the bytes are too few for its reports
     */
    public static Header header(byte[] bytes, int at, int length) {
        int count = length < HEADER_LENGTH ? 0 : count(bytes, at);
        if (count < 1 || count > COUNT_MAX || length < HEADER_LENGTH + count * (ResultCell.LENGTH + Long.BYTES)) {
            throw new IllegalArgumentException("a run of " + length + " bytes, " + count + " reports");
        }
        return new Header(
                brokerId(bytes, at),
                count,
                first(bytes, at),
                block(bytes, at),
                (long) LONG.get(bytes, at + TIME_OFFSET),
                (long) LONG.get(bytes, at + EXEC_ID_OFFSET));
    }

    /**
     * Returns whose reports the run has.
     *
     * @param bytes contain the run, at least its header
     * @param at where it begins
     */
    public static int brokerId(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    /**
     * Returns how many reports the run has.
     *
     * @param bytes contain the run, at least its header
     * @param at where it begins
     */
    public static int count(byte[] bytes, int at) {
        return (int) INT.get(bytes, at + COUNT_OFFSET);
    }

    /**
     * Returns the report sequence of the first report of the run.
     *
     * @param bytes contain the run, at least its header
     * @param at where it begins
     */
    public static long first(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at + FIRST_OFFSET);
    }

    /**
     * Returns the block of the run.
     *
     * @param bytes contain the run, at least its header
     * @param at where it begins
     */
    public static long block(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at + BLOCK_OFFSET);
    }
}
