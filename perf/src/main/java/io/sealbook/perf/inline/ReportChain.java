package io.sealbook.perf.inline;

import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The digest that the contract engine agrees on, computed from the matching core's reports: {@code digest(n) =
 * SHA-256(digest(n - 1) || reports of block n)}, digest(0) is zero. One thread.
 *
 * <pre>
 *   offset  length  field of a report (big-endian)
 *   0       1       execType
 *   1       4       brokerId
 *   5       8       clOrdId
 *   13      8       lastPx
 *   21      8       lastQty
 *   29      8       leavesQty
 * </pre>
 */
final class ReportChain implements MatchingOutput {
    private static final int REPORT_LENGTH = 37;

    private final byte[] message = new byte[ReportRecord.LENGTH];
    private final ExecutionReportDecoder decoder = new ExecutionReportDecoder()
            .wrap(
                    new UnsafeBuffer(message),
                    MessageHeaderDecoder.ENCODED_LENGTH,
                    ExecutionReportDecoder.BLOCK_LENGTH,
                    ExecutionReportDecoder.SCHEMA_VERSION);
    private final ByteBuffer fields = ByteBuffer.allocate(REPORT_LENGTH);
    private final Sha256 sha256 = new Sha256();
    private Digest digest = Digest.ZERO;
    private long reports;
    private long refused;
    private long trades;

    ReportChain() {
        beginBlock();
    }

    private void beginBlock() {
        sha256.reset().update(digest.bytes());
    }

    @Override
    public void onReport(ReportRecord report) {
        report.get(message, 0);
        fields.clear()
                .put(decoder.execTypeRaw())
                .putInt((int) decoder.brokerId())
                .putLong(decoder.clOrdId())
                .putLong(decoder.lastPx())
                .putLong(decoder.lastQty())
                .putLong(decoder.leavesQty());
        sha256.update(fields.array());
        reports++;
        if (report.isRefusal()) {
            refused++;
        }
    }

    @Override
    public void onTrade(DirectBuffer buffer, int offset, int length) {
        trades++; // Both sides of it are in the reports.
    }

    /** Ends the block and returns the digest after it. */
    Digest endBlock() {
        digest = Digest.of(sha256.digestBytes());
        beginBlock();
        return digest;
    }

    /** Returns the reports so far. */
    long reports() {
        return reports;
    }

    /** Returns the orders refused so far. */
    long refused() {
        return refused;
    }

    /** Returns the trades so far. */
    long trades() {
        return trades;
    }
}
