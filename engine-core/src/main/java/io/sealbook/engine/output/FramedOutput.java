package io.sealbook.engine.output;

import io.sealbook.matching.ReportRecord;
import io.sealbook.matching.ResultRun;
import org.agrona.DirectBuffer;

/** Fills frames, one after another, with what blocks put out. Where they come from and go to is a subclass's. */
abstract class FramedOutput implements BlockOutput {
    private final int frameBytes;
    private final boolean areReportsRead;
    private OutputFrame frame;
    /** Messages of the block so far. */
    private int index;

    /**
     * @param frameBytes size of a frame's arena, at least one message
     * @param areReportsRead whether a consumer requires each report as a message; else they have the runs
     */
    FramedOutput(int frameBytes, boolean areReportsRead) {
        this.frameBytes = frameBytes;
        this.areReportsRead = areReportsRead;
    }

    /** Returns the frame to fill next; waits while there is none. */
    abstract OutputFrame nextFrame();

    /** Hands the frame of {@link #nextFrame} over to the consumers. */
    abstract void handOver(OutputFrame filled);

    @Override
    public final void beginBlock(long sequence, long blockTimeNs) {
        index = 0;
        begin(sequence, blockTimeNs);
    }

    private void begin(long sequence, long blockTimeNs) {
        frame = nextFrame();
        frame.begin(frameBytes, sequence, blockTimeNs, index);
    }

    @Override
    public final void add(DirectBuffer buffer, int offset, int length) {
        reserve(length);
        frame.add(buffer, offset, length);
        index++;
    }

    @Override
    public final void add(ReportRecord report) {
        if (areReportsRead) {
            reserve(ReportRecord.LENGTH);
            frame.add(report);
            index++;
        }
    }

    @Override
    public final void add(ResultRun run) {
        if (!frame.hasRoom(run)) {
            goOn();
        }
        frame.add(run);
    }

    private void reserve(int length) {
        if (!frame.hasRoom(length)) {
            goOn();
        }
    }

    /** Goes on with the block in the next frame. */
    private void goOn() {
        long sequence = frame.blockSequence();
        long timeNs = frame.blockTimeNs();
        handOver(frame);
        begin(sequence, timeNs);
    }

    @Override
    public final void endBlock(BlockEnd end) {
        frame.end(end);
        handOver(frame);
    }
}
