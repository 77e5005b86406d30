package io.sealbook.engine.reports;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.Sha256;
import io.sealbook.vocabulary.result.ReportRun;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import io.sealbook.vocabulary.result.ResultLeaf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;

/** Runs of reports of accepted orders, whose fields follow from the report's sequence. */
final class TestRuns {
    private static final int DETAIL_LENGTH = 4 * Long.BYTES;
    private static final long PRICE = 100;
    private static final long QUANTITY = 7;
    private static final int ACCOUNT = 5;
    private static final int INSTRUMENT = 2;

    private TestRuns() {}

    /**
     * Appends reports and flushes: a run for each block, or several of a large one.
     *
     * @param store of which reports
     * @param from first one
     * @param to last one
     * @param blockOf returns the block of a report
     */
    static void append(ReportStore store, long from, long to, LongUnaryOperator blockOf) {
        long first = from;
        while (first <= to) {
            long block = blockOf.applyAsLong(first);
            int count = 1;
            while (first + count <= to && count < ReportRun.COUNT_MAX && blockOf.applyAsLong(first + count) == block) {
                count++;
            }
            append(store, run(store.brokerId(), first, count, block), 0);
            first += count;
        }
        store.endBlock();
        store.flush();
        store.announceBlock();
    }

    /** Appends a run that {@link #run} has made, as from a frame in which it lies anywhere among other bytes. */
    static void append(ReportStore store, byte[] run, int before) {
        byte[] bytes = new byte[before + Sha256.LENGTH + run.length + before];
        Arrays.fill(bytes, (byte) 0xFF);
        ReportRun.Header header = ReportRun.header(run, 0, run.length);
        byte[] cells = Arrays.copyOfRange(
                run, ReportRun.HEADER_LENGTH, ReportRun.HEADER_LENGTH + header.count() * ResultCell.LENGTH);
        byte[] hash = ResultLeaf.hash(header.brokerId(), header.first(), cells);
        System.arraycopy(hash, 0, bytes, before, hash.length);
        System.arraycopy(run, 0, bytes, before + hash.length, run.length);
        store.append(bytes, before + hash.length, run.length, before);
    }

    private static int orderIndex(long sequence) {
        return (int) (sequence % 1_000);
    }

    static byte[] run(int brokerId, long first, int count, long block) {
        int details = ReportRun.HEADER_LENGTH + count * ResultCell.LENGTH;
        ByteBuffer run = ByteBuffer.allocate(details + count * DETAIL_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        ReportRun.begin(run.array(), 0, brokerId, count, first);
        ReportRun.putBlock(run.array(), 0, block, 1_000 * block, 0);
        run.position(details);
        for (int i = 0; i < count; i++) {
            long sequence = first + i;
            new ResultCell(1, orderIndex(sequence), ResultEvent.ACCEPTED, 0, 7 * sequence, 0, QUANTITY)
                    .write(run.array(), ReportRun.HEADER_LENGTH + i * ResultCell.LENGTH);
            run.putInt((int) sequence);
            run.put(Action.NEW.value()).put(Side.BUY.value());
            run.put(OrdType.LIMIT.value()).put(TimeInForce.DAY.value());
            run.putInt(ACCOUNT).putInt(INSTRUMENT).putLong(1_000 + sequence).putLong(PRICE);
        }
        return run.array();
    }

    /**
     * Returns the report's message.
     *
     * @param brokerId whose report
     * @param sequence of the report
     * @param block of the report
     */
    static byte[] report(int brokerId, long sequence, long block) {
        byte[] message = new byte[ReportStore.RECORD_LENGTH];
        new ExecutionReportEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(message), 0, new MessageHeaderEncoder())
                .reportSequence(sequence)
                .blockSequence(block)
                .orderId(7 * sequence)
                .execId(sequence)
                .clOrdId(1_000 + sequence)
                .price(PRICE)
                .quantity(QUANTITY)
                .leavesQty(QUANTITY)
                .transactTimeNs(1_000 * block)
                .brokerId(brokerId)
                .accountId(ACCOUNT)
                .instrumentId(INSTRUMENT)
                .batchIndex(1)
                .orderIndex(orderIndex(sequence))
                .action(Action.NEW)
                .side(Side.BUY)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.DAY)
                .execType(ExecType.NEW)
                .ordStatus(OrdStatus.NEW)
                .rejectReason(RejectReason.NONE);
        return message;
    }
}
