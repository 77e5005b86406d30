package io.sealbook.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.report.ReportMaker;
import io.sealbook.vocabulary.result.ReportRun;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Feeds a core block by block and keeps what comes out, as bytes and as values. The reports that are made from a
 * block's runs must be those that the core shows.
 */
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

    /** By broker, the last block's reports one after another. */
    private final Map<Integer, ByteArrayOutputStream> shown = new TreeMap<>();

    /** The same, made from the runs. */
    private final Map<Integer, ByteArrayOutputStream> made = new TreeMap<>();

    private final ReportMaker maker = new ReportMaker();

    /** Runs so far. */
    int runCount;

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
        checkRuns();
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
        shown.computeIfAbsent(record.brokerId(), broker -> new ByteArrayOutputStream())
                .writeBytes(bytes);
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

    @Override
    public void onRun(ResultRun run) {
        byte[] bytes = new byte[run.length() + 3];
        run.get(bytes, 3);
        ReportRun.Header header = maker.begin(bytes, 3, run.length());
        assertThat(header.brokerId()).isEqualTo(run.brokerId());
        ByteArrayOutputStream reportsOfBroker =
                made.computeIfAbsent(run.brokerId(), broker -> new ByteArrayOutputStream());
        byte[] report = new byte[ReportRecord.LENGTH];
        while (maker.hasNext()) {
            maker.next();
            maker.get(report, 0);
            reportsOfBroker.writeBytes(report);
        }
        runCount++;
    }

    private void checkRuns() {
        assertThat(made.keySet()).isEqualTo(shown.keySet());
        made.forEach((broker, bytes) -> assertThat(bytes.toByteArray())
                .as("reports of broker " + broker)
                .isEqualTo(shown.get(broker).toByteArray()));
        made.clear();
        shown.clear();
    }

    private void keep(DirectBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        blockBytes.writeBytes(bytes);
    }
}
