package io.sealbook.client.reports;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.protocol.report.ReportMaker;
import io.sealbook.protocol.report.ReportWords;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Makes the reports of an agreed block one after another. One thread. */
final class RunReports {
    private final List<byte[]> runs;
    private final long end;
    private final ReportMaker maker = new ReportMaker();
    private final byte[] record = new byte[ReportWords.LENGTH];
    private final ByteBuffer message = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
    private int runIndex;
    private long next;

    /**
     * @param block whose reports are there
     * @param runs of the block
     * @param from first report wanted, within the block or before
     * @throws IllegalArgumentException if the reports before it cannot be made
     */
    RunReports(VouchedBlock block, List<byte[]> runs, long from) {
        this.runs = runs;
        this.end = block.end();
        this.next = block.first();
        while (next < from) {
            advance();
        }
    }

    boolean hasNext() {
        return next < end;
    }

    /** Returns the sequence of the next report. */
    long next() {
        return next;
    }

    /**
     * Returns the next report.
     *
     * @throws IllegalArgumentException if it cannot be made
     */
    ExecutionReport take() {
        advance();
        maker.get(record, 0);
        return ExecutionReportDecoder.decode(message, 0);
    }

    private void advance() {
        if (!maker.hasNext()) {
            if (runIndex == runs.size()) {
                throw new IllegalArgumentException("the runs of a block end before report " + next);
            }
            byte[] run = runs.get(runIndex++);
            maker.begin(run, 0, run.length);
        }
        maker.next();
        next++;
        if (next == end && (maker.hasNext() || runIndex < runs.size())) {
            throw new IllegalArgumentException("the runs of a block go on after report " + (end - 1));
        }
    }
}
