package io.sealbook.fuzz;

import io.sealbook.archive.Block;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.journal.JournalReader;
import io.sealbook.engine.output.OutputMessages;
import io.sealbook.engine.reports.ReportScan;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.engine.snapshot.BookChange;
import io.sealbook.engine.snapshot.SnapshotHeader;
import io.sealbook.engine.snapshot.SnapshotStore;
import io.sealbook.engine.snapshot.StoredSnapshot;
import io.sealbook.engine.snapshot.UnfinishedSnapshot;
import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.SnapshotException;
import io.sealbook.matching.chain.ChainTerms;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;

/** Files of an engine: snapshots, journal, reports. */
final class EngineFileDecoders {
    private static final String SNAPSHOT = String.format("%020d.snapshot", 4);
    private static final String JOURNAL = String.format("%020d.journal", 1);
    private static final String REPORTS = String.format("%020d.reports", 1);
    private static final Digest GENESIS = SampleChain.GENESIS.digest();

    private EngineFileDecoders() {}

    static List<Decoder> all() {
        return List.of(
                new Decoder("core-snapshot", () -> List.of(SampleExecution.snapshot()), EngineFileDecoders::core),
                new Decoder("engine-snapshot", EngineFileDecoders::snapshots, EngineFileDecoders::snapshot),
                new Decoder("chain-terms", EngineFileDecoders::terms, EngineFileDecoders::terms),
                new Decoder("journal", () -> List.of(journalFile()), EngineFileDecoders::journal),
                new Decoder("output-messages", SampleExecution::messages, EngineFileDecoders::messages),
                new Decoder("report-file", () -> List.of(reportFile()), EngineFileDecoders::reports));
    }

    /** A core is restored and executes on, or refused. */
    private static void core(byte[] bytes) throws IOException {
        MatchingCore core;
        try {
            core = MatchingCore.readSnapshot(
                    MarketConfig.of(SampleChain.GENESIS.genesis()), new ByteArrayInputStream(Sealing.shaAtEnd(bytes)));
        } catch (SnapshotException e) {
            return;
        }
        core.stateDigest();
    }

    private static List<byte[]> snapshots() {
        MemoryFiles files = new MemoryFiles();
        SnapshotStore store = new SnapshotStore(files.directory(), GENESIS, Durability.PROCESS);
        TreeMap<Integer, Long> reports = new TreeMap<>();
        reports.put(SampleChain.BROKER, 12L);
        Block last = SampleChain.blocks().get(3);
        UnfinishedSnapshot unfinished = store.begin(new SnapshotHeader(
                4,
                last.hash(),
                Digest.ZERO,
                9,
                new long[] {3, 8, 2, 12},
                reports,
                terms().getFirst(),
                List.of(new BookChange(1, 3, 17))));
        try {
            unfinished.core().write(SampleExecution.snapshot());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        unfinished.finish().publish();
        return List.of(files.get(SNAPSHOT));
    }

    /** A damaged snapshot is passed over. */
    private static void snapshot(byte[] bytes) throws IOException {
        MemoryFiles files = MemoryFiles.with(SNAPSHOT, Sealing.crcAtEnd(bytes));
        SnapshotStore store = new SnapshotStore(files.directory(), GENESIS, Durability.PROCESS);
        for (StoredSnapshot stored : store.readAll()) {
            stored.readCore(stream -> stream.readAllBytes().length);
        }
    }

    private static List<byte[]> terms() {
        return List.of(ChainTerms.of(SampleChain.GENESIS.genesis()).encode(), SampleExecution.termsAfterChange());
    }

    private static void terms(byte[] bytes) throws Throwable {
        Promises.stable(
                        IllegalArgumentException.class,
                        given -> ChainTerms.decode(SampleChain.GENESIS.genesis(), given),
                        ChainTerms::encode)
                .check(bytes);
    }

    private static byte[] journalFile() {
        byte[] frame = Sealing.joined(new byte[32], SampleExecution.messages().getFirst());
        ByteBuffer header = Sealing.littleEndian(frame);
        header.putInt(0, frame.length - 32)
                .putLong(8, 1)
                .putLong(16, SampleChain.TIME_NS)
                .putInt(28, 1);
        return Sealing.crc(frame, 4, 8, frame.length);
    }

    /** The first frame's checksum is right; what no longer is whole is cut, and what is left is read. */
    private static void journal(byte[] bytes) {
        byte[] sealed = bytes;
        if (bytes.length >= 32) {
            sealed = Sealing.crc(bytes, 4, 8, 32 + Sealing.littleEndian(bytes).getInt(0));
        }
        MemoryFiles files = MemoryFiles.with(JOURNAL, sealed);
        try (ExecutionJournal journal = ExecutionJournal.open(files.directory(), 1 << 20, Durability.PROCESS);
                JournalReader reader = journal.readAfter(0)) {
            while (reader.next(Ignored.INSTANCE) >= 0) {
                Promises.require(reader.position() <= journal.lastBlock(), "reads beyond the last block");
            }
        } catch (OperatingFailureException | UncheckedIOException | IllegalArgumentException e) {
            // A gap, a damaged frame, or bytes that are no messages.
        }
    }

    private static void messages(byte[] bytes) throws Throwable {
        Promises.refuses(
                        IllegalArgumentException.class,
                        given -> new OutputMessages().forEach(given, given.length, 0, Ignored.INSTANCE))
                .check(bytes);
    }

    private static byte[] reportFile() {
        byte[] run = SampleExecution.runs().getFirst();
        byte[] file = Sealing.joined("SBRPRTS3".getBytes(StandardCharsets.US_ASCII), new byte[24], run);
        ByteBuffer buffer = Sealing.littleEndian(file);
        buffer.putInt(8, SampleChain.BROKER).putInt(28, run.length);
        return Sealing.crc(file, 24, 28, file.length);
    }

    private static void reports(byte[] bytes) {
        byte[] sealed = bytes;
        if (bytes.length >= 32) {
            sealed = Sealing.crc(bytes, 24, 28, 32 + Sealing.littleEndian(bytes).getInt(28));
        }
        MemoryFiles files = MemoryFiles.with(REPORTS, sealed);
        try (ReportScan scan = ReportScan.open(files.directory(), 1)) {
            while (scan.next()) {
                scan.report().orderId();
            }
        } catch (OperatingFailureException | UncheckedIOException | IllegalArgumentException e) {
            // Damaged, or no run.
        }
        try (ReportStore store = ReportStore.open(files.directory(), SampleChain.BROKER, 100, Durability.PROCESS)) {
            if (store.last() >= store.first() && store.last() > 0) {
                store.read(store.first(), ByteBuffer.allocate(8 * ReportStore.RECORD_LENGTH));
            }
        } catch (OperatingFailureException | UncheckedIOException | IllegalArgumentException e) {
            // The same.
        }
    }

    /** Reads a field of each message. */
    private enum Ignored implements OutputMessages.Visitor {
        INSTANCE;

        @Override
        public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
            report.transactTimeNs();
            report.rejectReason();
        }

        @Override
        public void onTrade(int index, TradeDecoder trade) {
            trade.tradeId();
        }
    }
}
