package io.sealbook.client.cluster;

import com.google.protobuf.ByteString;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.v1.BlockReports;
import io.sealbook.vocabulary.result.ReportRun;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Writes reports as an engine does, field by field in the schema's order. */
public final class ReportBytes {
    private static final int ORIG_CL_ORD_ID_OFFSET = 8 + 6 * Long.BYTES;
    private static final int LEAVES_OFFSET = 8 + 11 * Long.BYTES;
    private static final int ACTION_OFFSET = 8 + 15 * Long.BYTES + 4 * Integer.BYTES + Short.BYTES;
    private static final int EXEC_TYPE_OFFSET = ACTION_OFFSET + 4;
    private static final int ORD_STATUS_OFFSET = ACTION_OFFSET + 5;

    private ReportBytes() {}

    /** Returns the NEW report of an order of which only the given facts matter. */
    public static byte[] accepted(
            long sequence, long block, int brokerId, int batchIndex, int orderIndex, long clOrdId) {
        return encode(
                ExecutionReport.builder()
                        .reportSequence(sequence)
                        .blockSequence(block)
                        .orderId(sequence)
                        .execId(sequence)
                        .clOrdId(clOrdId)
                        .price(100)
                        .quantity(10)
                        .leavesQty(10)
                        .transactTimeNs(block * 1_000_000)
                        .brokerId(brokerId)
                        .accountId(1)
                        .instrumentId(1)
                        .batchIndex(batchIndex)
                        .orderIndex(orderIndex)
                        .build(),
                145);
    }

    /**
     * Returns the report of an entry that is carried out as it is: NEW, REPLACED or CANCELED.
     *
     * @param accepted its report if it were a new order
     * @param action of the entry
     * @param origClOrdId of the entry
     */
    static byte[] carriedOut(byte[] accepted, Action action, long origClOrdId) {
        ByteBuffer report = ByteBuffer.wrap(accepted.clone()).order(ByteOrder.LITTLE_ENDIAN);
        ExecType type = execType(action);
        report.putLong(ORIG_CL_ORD_ID_OFFSET, origClOrdId);
        report.put(ACTION_OFFSET, action.value()).put(EXEC_TYPE_OFFSET, type.value());
        if (type == ExecType.CANCELED || type == ExecType.MASS_CANCEL_REPORT) {
            report.putLong(LEAVES_OFFSET, 0).put(ORD_STATUS_OFFSET, OrdStatus.CANCELED.value());
        }
        return report.array();
    }

    private static ExecType execType(Action action) {
        return switch (action) {
            case CANCEL -> ExecType.CANCELED;
            case REPLACE -> ExecType.REPLACED;
            case MASS_CANCEL, CANCEL_AFTER -> ExecType.MASS_CANCEL_REPORT;
            default -> ExecType.NEW;
        };
    }

    private static ResultEvent event(ExecType type) {
        return switch (type) {
            case CANCELED -> ResultEvent.CANCELED;
            case REPLACED -> ResultEvent.REPLACED;
            case MASS_CANCEL_REPORT -> ResultEvent.MASS_CANCELED;
            default -> ResultEvent.ACCEPTED;
        };
    }

    /** Returns a full run of accepted orders of block 3, which does not end its block. */
    public static BlockReports fullRun(long first) {
        List<byte[]> reports = LongStream.range(first, first + ReportRun.COUNT_MAX)
                .mapToObj(sequence -> accepted(sequence, 3, 1, 0, 0, sequence))
                .toList();
        return BlockReports.newBuilder()
                .setFirstSequence(first)
                .setCount(reports.size())
                .addRuns(ByteString.copyFrom(run(reports)))
                .build();
    }

    /** Returns the run of these reports, as an engine keeps and sends them. */
    public static byte[] run(List<byte[]> reports) {
        List<ExecutionReport> decoded = reports.stream()
                .map(report ->
                        ExecutionReportDecoder.decode(ByteBuffer.wrap(report).order(ByteOrder.LITTLE_ENDIAN), 0))
                .toList();
        ExecutionReport first = decoded.get(0);
        int details = ReportRun.HEADER_LENGTH + decoded.size() * ResultCell.LENGTH;
        ByteBuffer run =
                ByteBuffer.allocate(details + decoded.size() * 6 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ReportRun.begin(run.array(), 0, first.brokerId(), decoded.size(), first.reportSequence());
        ReportRun.putBlock(run.array(), 0, first.blockSequence(), first.transactTimeNs(), 0);
        int cell = ReportRun.HEADER_LENGTH;
        run.position(details);
        for (ExecutionReport report : decoded) {
            new ResultCell(
                            report.batchIndex(),
                            report.orderIndex(),
                            event(report.execType()),
                            0,
                            report.execType() == ExecType.MASS_CANCEL_REPORT ? 0 : report.orderId(),
                            report.cumQty(),
                            report.execType() == ExecType.CANCELED ? report.quantity() : report.leavesQty())
                    .write(run.array(), cell);
            cell += ResultCell.LENGTH;
            run.putInt((int) report.execId());
            run.put(report.action().value()).put(report.side().value());
            run.put(report.ordType().value()).put(report.timeInForce().value());
            run.putInt(report.accountId()).putInt(report.instrumentId());
            run.putLong(report.clOrdId());
            if (report.execType() != ExecType.NEW) {
                run.putLong(report.origClOrdId());
            }
            run.putLong(report.price());
            if (report.execType() == ExecType.MASS_CANCEL_REPORT) {
                run.putLong(report.quantity());
            }
        }
        return Arrays.copyOf(run.array(), run.position());
    }

    /** Returns the message with its header; {@code blockLength} above 145 pads with what a later schema may append. */
    public static byte[] encode(ExecutionReport report, int blockLength) {
        ByteBuffer buffer = ByteBuffer.allocate(8 + blockLength).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putShort((short) blockLength)
                .putShort((short) 2)
                .putShort((short) 1)
                .putShort((short) 0);
        buffer.putLong(report.reportSequence()).putLong(report.blockSequence()).putLong(report.orderId());
        buffer.putLong(report.execId()).putLong(report.tradeId()).putLong(report.clOrdId());
        buffer.putLong(report.origClOrdId()).putLong(report.price()).putLong(report.quantity());
        buffer.putLong(report.lastPx()).putLong(report.lastQty()).putLong(report.leavesQty());
        buffer.putLong(report.cumQty()).putLong(report.cumValue()).putLong(report.transactTimeNs());
        buffer.putInt(report.brokerId()).putInt(report.accountId()).putInt(report.instrumentId());
        buffer.putInt(report.batchIndex()).putShort((short) report.orderIndex());
        buffer.put(report.action().value())
                .put(report.side().value())
                .put(report.ordType().value());
        buffer.put(report.timeInForce().value()).put(report.execType().value());
        buffer.put(report.ordStatus().value()).put((byte) report.rejectReason().value());
        while (buffer.hasRemaining()) {
            buffer.put((byte) 0x5A);
        }
        return buffer.array();
    }
}
