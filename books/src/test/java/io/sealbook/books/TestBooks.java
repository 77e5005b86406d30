package io.sealbook.books;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestReports;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Two blocks of two brokers: broker 1 bids 100 lots and is hit by broker 2 with 60, then cancels the rest; broker 2 has
 * one refusal.
 */
final class TestBooks {
    private static final long BID = 11;
    private static final long OFFER = 12;
    /** Above 2^63: ids that brokers choose are unsigned. */
    private static final long BID_CL_ORD_ID = -2;

    private TestBooks() {}

    /**
     * Writes the node.
     *
     * @param directory of the node, empty
     * @return the genesis digest
     */
    static Digest write(Path directory) {
        GenesisFile genesis = TestMarket.write(directory, List.of(1, 2, 3, 4));
        TestFlow flow = new TestFlow(1);
        try (BlockArchive archive = BlockArchive.open(
                directory.resolve("archive"), new ArchiveConfig(genesis.digest(), 16, Durability.PROCESS))) {
            Digest hash = genesis.digest();
            hash = append(
                    archive,
                    1,
                    hash,
                    flow.batch(1, List.of(Entry.limit(BID_CL_ORD_ID, 101, 1, Side.BUY, 50, 100))),
                    flow.batch(
                            2,
                            List.of(
                                    Entry.limit(7, 201, 1, Side.SELL, 50, 60),
                                    Entry.limit(7, 201, 1, Side.SELL, 50, 60))));
            append(archive, 2, hash, flow.batch(1, List.of(Entry.cancel(3, BID_CL_ORD_ID, 101, 1, Side.BUY))));
        }
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            append(stores, 1, 1, report(1, 1, BID, BID_CL_ORD_ID).side(Side.BUY).leavesQty(100));
            append(
                    stores,
                    2,
                    1,
                    report(1, 2, OFFER, 7).side(Side.SELL).quantity(60).leavesQty(60));
            append(stores, 1, 2, fill(report(1, 3, BID, BID_CL_ORD_ID), Side.BUY, 40));
            append(
                    stores,
                    2,
                    2,
                    fill(report(1, 4, OFFER, 7), Side.SELL, 0)
                            .ordStatus(OrdStatus.FILLED)
                            .quantity(60));
            append(
                    stores,
                    2,
                    3,
                    report(1, 5, 0, 7)
                            .execType(ExecType.REJECTED)
                            .rejectReason(RejectReason.DUPLICATE_CL_ORD_ID)
                            .side(Side.SELL));
            append(
                    stores,
                    1,
                    3,
                    report(2, 6, BID, 3)
                            .origClOrdId(BID_CL_ORD_ID)
                            .execType(ExecType.CANCELED)
                            .ordStatus(OrdStatus.CANCELED)
                            .side(Side.BUY)
                            .cumQty(60));
            stores.endBlock();
            stores.flush(2);
        }
        return genesis.digest();
    }

    /**
     * Appends block 3, in which broker 1 trades with broker 2, and files its reports.
     *
     * @param directory of the node
     * @param genesis as {@link #write} returned it
     * @param isOfBoth whether the reports of broker 2 are filed, too
     */
    static void appendBlockThree(Path directory, Digest genesis, boolean isOfBoth) {
        try (BlockArchive archive = BlockArchive.open(
                        directory.resolve("archive"), new ArchiveConfig(genesis, 16, Durability.PROCESS));
                ReportStores stores =
                        new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            byte[] batch = new TestFlow(1).batch(1, List.of(Entry.limit(9, 101, 1, Side.BUY, 50, 60)));
            append(archive, 3, archive.lastHash(), batch);
            append(stores, 1, 4, fill(report(3, 7, 13, 9), Side.BUY, 0).tradeId(2));
            if (isOfBoth) {
                append(stores, 2, 4, fill(report(3, 8, 14, 9), Side.SELL, 0).tradeId(2));
            }
            stores.endBlock();
            stores.flush(3);
        }
    }

    /** Starts from a snapshot at block 1, as an engine does that was stopped at once. */
    static void cutBackToBlockOne(Path directory) {
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            stores.truncateTo(1, new TreeMap<>(Map.of(1, 2L, 2, 3L)));
        }
    }

    static Digest append(BlockArchive archive, long sequence, Digest previous, byte[]... batches) {
        BlockBuilder builder = new BlockBuilder().begin(sequence, 0, 1_000 * sequence, Digest.ZERO, previous);
        for (byte[] batch : batches) {
            builder.add(BatchId.of(batch), 5, batch, 0, batch.length);
        }
        byte[] block = builder.build();
        archive.append(block);
        return Block.wrap(block).hash();
    }

    static ExecutionReportEncoder report(long block, long execId, long orderId, long clOrdId) {
        return new ExecutionReportEncoder()
                .wrapAndApplyHeader(
                        new UnsafeBuffer(new byte[ReportStore.RECORD_LENGTH]), 0, new MessageHeaderEncoder())
                .blockSequence(block)
                .transactTimeNs(1_000 * block)
                .execId(execId)
                .orderId(orderId)
                .clOrdId(clOrdId)
                .instrumentId(1)
                .price(50)
                .quantity(100)
                .execType(ExecType.NEW)
                .ordStatus(OrdStatus.NEW)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.DAY);
    }

    static ExecutionReportEncoder fill(ExecutionReportEncoder report, Side side, long leaves) {
        return report.execType(ExecType.TRADE)
                .ordStatus(OrdStatus.PARTIALLY_FILLED)
                .side(side)
                .tradeId(1)
                .lastPx(50)
                .lastQty(60)
                .cumQty(60)
                .cumValue(3_000)
                .leavesQty(leaves);
    }

    static void append(ReportStores stores, int broker, long sequence, ExecutionReportEncoder report) {
        report.reportSequence(sequence).brokerId(broker).accountId(100L * broker + 1);
        TestReports.append(stores, report.buffer().byteArray());
    }
}
