package io.sealbook.client.reports;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.vocabulary.result.RecordPacker;
import io.sealbook.vocabulary.result.RunTree;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** Unpacks the reports of an agreed block one after another. One thread. */
final class RunReports {
    private static final int RECORD_LENGTH = ExecutionReportDecoder.HEADER_LENGTH + ExecutionReportDecoder.BLOCK_LENGTH;

    private final List<byte[]> runs;
    private final long end;
    private final RecordPacker packer = new RecordPacker(RECORD_LENGTH);
    private final byte[] record = new byte[RECORD_LENGTH];
    private final ByteBuffer message = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
    private byte[] run = {};
    private int runLength;
    private int runIndex;
    private int at;
    private int inRun;
    private long next;

    /**
     * @param block whose reports are there
     * @param runs of the block
     * @param from first report wanted, within the block or before
     * @throws IllegalArgumentException if the reports before it cannot be read
     */
    RunReports(VouchedBlock block, List<byte[]> runs, long from) {
        this.runs = runs;
        this.end = block.end();
        this.next = block.first();
        while (next < from) {
            unpack();
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
     * @throws IllegalArgumentException if it cannot be read
     */
    ExecutionReport take() {
        unpack();
        packer.copy(record, 0);
        return ExecutionReportDecoder.decode(message, 0);
    }

    private void unpack() {
        if (inRun == 0) {
            byte[] packed = runs.get(runIndex++);
            runLength = packed.length;
            // Words are read whole, so that a damaged run is read beyond its end and not beyond the array's.
            run = Arrays.copyOf(packed, runLength + packer.packedLengthMax() + RecordPacker.SLACK);
            at = 0;
            packer.reset();
        }
        at = packer.unpack(run, at);
        inRun = inRun + 1 == RunTree.RUN_MAX ? 0 : inRun + 1;
        next++;
        boolean isRunOver = inRun == 0 || next == end;
        if (isRunOver ? at != runLength : at >= runLength) {
            throw new IllegalArgumentException("a run of " + runLength + " bytes ends at " + at);
        }
    }
}
