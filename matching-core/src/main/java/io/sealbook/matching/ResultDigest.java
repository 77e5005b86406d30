package io.sealbook.matching;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.agrona.DirectBuffer;

/**
 * The chain over all outputs: {@code digest(n) = SHA-256(digest(n - 1) || packed messages of block n in the order emitted)}, digest(0) is
 * zero. A block without outputs moves the chain too.
 *
 * <p>A packed message is the kind, one byte, 0 for a report and 1 for a trade, and its bytes as {@link RecordPacker} packs them after the
 * last one of its kind in the block. Packing loses nothing, so the digest binds every byte, and hashes a sixth of them.
 */
final class ResultDigest {
    static final int LENGTH = 32;

    /** Stays in the first-level cache. */
    private static final int CAPACITY = 1 << 12;

    private static final byte REPORT = 0;
    private static final byte TRADE = 1;

    private final MessageDigest sha256 = newSha256();
    private final byte[] value = new byte[LENGTH];
    private final RecordPacker reports;
    private final RecordPacker trades;
    private final int messageMax;
    private final byte[] packed = new byte[CAPACITY];
    private int packedLength;

    /** Takes the lengths of the messages, headers included. */
    ResultDigest(int reportLength, int tradeLength) {
        reports = new RecordPacker(reportLength);
        trades = new RecordPacker(tradeLength);
        messageMax = 1 + Math.max(reports.packedLengthMax(), trades.packedLengthMax()) + RecordPacker.SLACK;
    }

    static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    void beginBlock() {
        sha256.reset();
        sha256.update(value);
        reports.reset();
        trades.reset();
        packedLength = 0;
    }

    void addReport(DirectBuffer buffer, int offset) {
        add(REPORT, reports, buffer, offset);
    }

    void addTrade(DirectBuffer buffer, int offset) {
        add(TRADE, trades, buffer, offset);
    }

    private void add(byte kind, RecordPacker packer, DirectBuffer buffer, int offset) {
        if (packed.length - packedLength < messageMax) {
            flush();
        }
        packed[packedLength] = kind;
        packedLength = packer.pack(buffer, offset, packed, packedLength + 1);
    }

    private void flush() {
        sha256.update(packed, 0, packedLength);
        packedLength = 0;
    }

    void endBlock() {
        flush();
        try {
            sha256.digest(value, 0, LENGTH);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 gives " + LENGTH + " bytes", e);
        }
    }

    void get(byte[] destination, int offset) {
        System.arraycopy(value, 0, destination, offset, LENGTH);
    }

    void set(byte[] source, int offset) {
        System.arraycopy(source, offset, value, 0, LENGTH);
    }
}
