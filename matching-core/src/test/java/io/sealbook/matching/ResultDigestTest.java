package io.sealbook.matching;

import static io.sealbook.matching.Batch.limit;
import static io.sealbook.protocol.sbe.Side.BUY;
import static io.sealbook.protocol.sbe.Side.SELL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.Sha256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The result digest by the letter of doc/matching-rules.md, computed again from the reports, slowly. */
class ResultDigestTest {
    private static final int RUN_MAX = 256;

    private final CoreDriver market = new CoreDriver(Markets.two());
    private byte[] digest = new byte[32];
    private int leafCount;

    @Test
    void shouldBindTheResultsOfAllBlocks() {
        RandomFlow flow = new RandomFlow(3, 2, 95, 12);
        for (int block = 1; block <= 200; block++) {
            RandomFlow.Block next = flow.next();
            market.block(next.timeNs(), next.batches());

            assertFollows();
        }
        assertThat(market.reports)
                .extracting(Report::execType)
                .contains(
                        ExecType.NEW,
                        ExecType.TRADE,
                        ExecType.REPLACED,
                        ExecType.CANCELED,
                        ExecType.REJECTED,
                        ExecType.CANCEL_REJECT,
                        ExecType.EXPIRED);
    }

    @Test
    void shouldBeginALeafAfterEvery256Results() {
        for (int block = 1; block <= 2; block++) {
            market.block(batches(1, block, BUY, 100));

            assertFollows();
            assertThat(leafCount).isEqualTo(3);
        }
        assertThat(market.core.lastReportSequence(1)).isEqualTo(1_200);
    }

    @Test
    void shouldBindBothSidesOfEveryTrade() {
        market.block(batches(1, 1, BUY, 100));
        assertFollows();
        market.block(batches(2, 1, SELL, 90));

        assertFollows();
        assertThat(market.trades).hasSize(600);
        assertThat(leafCount)
                .as("600 passive fills, 1,200 results of the seller")
                .isEqualTo(3 + 5);
    }

    @Test
    void shouldBindTradesOfABrokerWithItself() {
        market.block(Batch.of(1, 1, 1, limit(1, 1, BUY, 100, 5), limit(2, 1, BUY, 101, 5), limit(3, 1, SELL, 99, 8)));

        assertFollows();
        assertThat(market.trades).hasSize(2);
    }

    /** Sixty batches of ten orders. */
    private static Batch[] batches(int broker, int block, Side side, long price) {
        Batch[] batches = new Batch[60];
        for (int i = 0; i < batches.length; i++) {
            Batch.Request[] requests = new Batch.Request[10];
            for (int k = 0; k < requests.length; k++) {
                requests[k] = limit(1_000L * block + 10L * i + k, 1, side, price, 1);
            }
            batches[i] = Batch.of(broker, 1_000L * block + i, block + 1, requests);
        }
        return batches;
    }

    private void assertFollows() {
        digest = next(market.reports.subList(market.blockFirstReport, market.reports.size()));
        assertThat(market.digest()).isEqualTo(HexFormat.of().formatHex(digest));
    }

    /** Returns the digest after a block with these reports. */
    private byte[] next(List<Report> reports) {
        List<byte[]> leaves = leaves(reports);
        leafCount = leaves.size();
        return Sha256.of(ByteBuffer.allocate(77)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 2)
                .put(digest)
                .putLong(market.core.lastSequence())
                .putInt(leaves.size())
                .put(root(leaves))
                .array());
    }

    private static byte[] root(List<byte[]> leaves) {
        int n = leaves.size();
        if (n <= 1) {
            return Sha256.of(n == 0 ? new byte[0] : leaves.get(0));
        }
        int k = Integer.highestOneBit(n - 1);
        ByteBuffer node = ByteBuffer.allocate(65).put((byte) 1);
        return Sha256.of(node.put(root(leaves.subList(0, k)))
                .put(root(leaves.subList(k, n)))
                .array());
    }

    /** Returns the leaves in the order in which they enter the tree. */
    private static List<byte[]> leaves(List<Report> reports) {
        List<byte[]> leaves = new ArrayList<>();
        // Markets.two() has its brokers in ascending order.
        Map<Integer, ByteBuffer> runs = new TreeMap<>();
        long entered = 0;
        for (Report report : reports) {
            ByteBuffer run = runs.computeIfAbsent(report.brokerId(), broker -> begin(report));
            if (report.execType() == ExecType.NEW || report.execType() == ExecType.REPLACED) {
                entered = report.orderId();
            }
            putCell(report, report.orderId() == entered, run);
            if (run.position() == 13 + 32 * RUN_MAX) {
                leaves.add(run.array());
                runs.remove(report.brokerId());
            }
        }
        runs.values()
                .forEach(run -> leaves.add(
                        ByteBuffer.allocate(run.position()).put(run.flip()).array()));
        return leaves;
    }

    private static ByteBuffer begin(Report first) {
        return ByteBuffer.allocate(13 + 32 * RUN_MAX)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0)
                .putInt(first.brokerId())
                .putLong(first.reportSequence());
    }

    /** The table of the document, row by row. */
    private static void putCell(Report report, boolean isIncoming, ByteBuffer run) {
        run.putInt((int) report.batchIndex()).putShort((short) report.orderIndex());
        long openBefore = report.quantity() - report.cumQty();
        switch (report.execType()) {
            case NEW -> put(run, 1, report, report.orderId(), report.cumQty(), report.leavesQty());
            case REPLACED -> put(run, 2, report, report.orderId(), report.cumQty(), report.leavesQty());
            case TRADE -> {
                if (isIncoming) {
                    put(run, 3, report, report.lastPx(), report.tradeId(), report.lastQty());
                } else {
                    put(run, 4, report, report.orderId(), report.tradeId(), report.lastQty());
                }
            }
            case CANCELED -> put(run, 5, report, report.orderId(), report.cumQty(), openBefore);
            case EXPIRED -> put(run, 6, report, report.orderId(), report.cumQty(), openBefore);
            case REJECTED -> put(run, 7, report, 0, 0, 0);
            case CANCEL_REJECT -> put(run, 8, report, report.orderId(), report.cumQty(), report.leavesQty());
            case NULL_VAL -> throw new AssertionError("a report without ExecType");
        }
    }

    private static void put(ByteBuffer run, int event, Report report, long order, long tradeOrCumQty, long quantity) {
        run.put((byte) event)
                .put((byte) report.rejectReason().value())
                .putLong(order)
                .putLong(tradeOrCumQty)
                .putLong(quantity);
    }
}
