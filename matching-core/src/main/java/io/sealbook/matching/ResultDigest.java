package io.sealbook.matching;

import io.sealbook.vocabulary.Sha256;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * The chain over all outputs: {@code digest(n) = SHA-256(digest(n - 1) || packed messages of block n in the order
 * emitted)}, digest(0) is zero. A block without outputs moves the chain too.
 *
 * <p>A packed report is the byte 0, the broker's id in 4 bytes, and what {@link RecordPacker} makes of it after the
 * broker's report before in the block; every {@link MatchingOutput#PACKED_RUN_MAX}th is packed alone. A packed trade is
 * the byte 1 and what is made of it after the trade before. Packing loses nothing, so the digest binds every byte, and
 * hashes a fifth of them.
 */
final class ResultDigest {
    static final int LENGTH = Sha256.LENGTH;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Stays in the first-level cache. */
    private static final int CAPACITY = 1 << 12;

    private static final byte REPORT = 0;
    private static final byte TRADE = 1;
    private static final int REPORT_HEAD_LENGTH = 1 + Integer.BYTES;

    private final Sha256 sha256 = new Sha256();
    private final byte[] value = new byte[LENGTH];
    private final int[] brokerIds;
    /** Of each broker, reports in this block. */
    private final int[] reportCounts;

    private final RecordPacker trades;
    private final int messageMax;
    private final byte[] packed = new byte[CAPACITY];
    private int packedLength;

    /** Takes the lengths of the messages, headers included. */
    ResultDigest(int[] brokerIds, int reportLength, int tradeLength) {
        this.brokerIds = brokerIds;
        reportCounts = new int[brokerIds.length];
        trades = new RecordPacker(tradeLength);
        int longest = Math.max(
                new RecordPacker(reportLength).packedLengthMax() + REPORT_HEAD_LENGTH, trades.packedLengthMax() + 1);
        messageMax = longest + RecordPacker.SLACK;
    }

    void beginBlock() {
        sha256.reset().update(value);
        Arrays.fill(reportCounts, 0);
        trades.reset();
        packedLength = 0;
    }

    /**
     * Begins a report, to be packed into {@link #packed()} from {@link #packedLength()} on.
     *
     * @param broker position of the broker
     * @return whether it is to be packed alone
     */
    boolean beginReport(int broker) {
        reserve();
        packed[packedLength] = REPORT;
        INT.set(packed, packedLength + 1, brokerIds[broker]);
        packedLength += REPORT_HEAD_LENGTH;
        return reportCounts[broker]++ % MatchingOutput.PACKED_RUN_MAX == 0;
    }

    /** Ends the report, which ends there. */
    void endReport(int end) {
        packedLength = end;
    }

    void addTrade(DirectBuffer buffer, int offset) {
        reserve();
        packed[packedLength] = TRADE;
        packedLength = trades.pack(buffer, offset, packed, packedLength + 1);
    }

    /** Returns the bytes into which messages are packed. */
    byte[] packed() {
        return packed;
    }

    int packedLength() {
        return packedLength;
    }

    private void reserve() {
        if (packed.length - packedLength < messageMax) {
            flush();
        }
    }

    private void flush() {
        sha256.update(packed, 0, packedLength);
        packedLength = 0;
    }

    void endBlock() {
        flush();
        sha256.digest(value, 0);
    }

    void get(byte[] destination, int offset) {
        System.arraycopy(value, 0, destination, offset, LENGTH);
    }

    void set(byte[] source, int offset) {
        System.arraycopy(source, offset, value, 0, LENGTH);
    }
}
