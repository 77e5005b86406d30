package io.sealbook.matching;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Feeds a core block by block and keeps what comes out, as bytes and as values. */
final class CoreDriver implements MatchingOutput {
    static final long SECOND_NS = 1_000_000_000L;
    static final long GENESIS_TIME_NS = 1_700_000_000L * SECOND_NS;

    final MatchingCore core;
    final List<Report> reports = new ArrayList<>();
    final List<TradeRecord> trades = new ArrayList<>();
    final List<Object> outputs = new ArrayList<>();

    /** Position of the last block's first report. */
    int blockFirstReport;

    ByteArrayOutputStream blockBytes = new ByteArrayOutputStream();

    CoreDriver(MarketConfig config) {
        this(new MatchingCore(config));
    }

    CoreDriver(MatchingCore core) {
        this.core = core;
    }

    /** Executes one block a second after the last and returns what most tests look at of its reports. */
    List<String> block(Batch... batches) {
        return block(Math.max(GENESIS_TIME_NS, core.lastBlockTimeNs()) + SECOND_NS, batches);
    }

    List<String> block(long timeNs, Batch... batches) {
        byte[][] encoded = new byte[batches.length][];
        for (int i = 0; i < batches.length; i++) {
            encoded[i] = batches[i].encode();
        }
        return rawBlock(timeNs, encoded);
    }

    List<String> rawBlock(long timeNs, byte[]... batches) {
        int first = reports.size();
        blockFirstReport = first;
        blockBytes = new ByteArrayOutputStream();
        core.beginBlock(core.lastSequence() + 1, timeNs, this);
        for (int i = 0; i < batches.length; i++) {
            core.onBatch(i, new UnsafeBuffer(batches[i]), 0, batches[i].length);
        }
        core.endBlock();
        return reports.subList(first, reports.size()).stream()
                .map(Report::brief)
                .toList();
    }

    String digest() {
        return core.resultDigest().hex();
    }

    List<String> bids(int instrumentId) {
        List<String> levels = new ArrayList<>();
        core.bids(instrumentId, Integer.MAX_VALUE, (price, quantity, count) -> levels.add(quantity + "@" + price));
        return levels;
    }

    List<String> asks(int instrumentId) {
        List<String> levels = new ArrayList<>();
        core.asks(instrumentId, Integer.MAX_VALUE, (price, quantity, count) -> levels.add(quantity + "@" + price));
        return levels;
    }

    /** Returns the number of orders of each level, bids from the best on, then asks. */
    List<Integer> orderCounts(int instrumentId) {
        List<Integer> counts = new ArrayList<>();
        core.bids(instrumentId, Integer.MAX_VALUE, (price, quantity, count) -> counts.add(count));
        core.asks(instrumentId, Integer.MAX_VALUE, (price, quantity, count) -> counts.add(count));
        return counts;
    }

    @Override
    public void onReport(ReportRecord record) {
        byte[] bytes = new byte[ReportRecord.LENGTH];
        record.get(bytes, 0);
        blockBytes.writeBytes(bytes);
        Report report = Report.decode(new UnsafeBuffer(bytes), 0);
        reports.add(report);
        outputs.add(report);
    }

    @Override
    public void onTrade(DirectBuffer buffer, int offset, int length) {
        keep(buffer, offset, length);
        TradeRecord trade = TradeRecord.decode(buffer, offset);
        trades.add(trade);
        outputs.add(trade);
    }

    private void keep(DirectBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        blockBytes.writeBytes(bytes);
    }
}
