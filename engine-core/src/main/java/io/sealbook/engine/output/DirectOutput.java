package io.sealbook.engine.output;

import io.sealbook.matching.ReportRecord;
import io.sealbook.matching.ResultRun;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * Hands each frame to its consumer on the thread that executes: no thread is woken for a block, and a disk that does
 * not keep up slows execution down at once.
 */
public final class DirectOutput implements BlockOutput {
    private final OutputFrame frame = new OutputFrame();
    private final int frameBytes;
    private final boolean areReportsRead;
    private final Consumer<OutputFrame> consumer;
    private int index;

    /**
     * @param frameBytes size of the one frame's arena, at least one message
     * @param areReportsRead whether the consumer requires each report as a message; else it has the runs
     * @param consumer reads each frame before it is filled again; what it throws ends the execution of the block
     */
    public DirectOutput(int frameBytes, boolean areReportsRead, Consumer<OutputFrame> consumer) {
        this.frameBytes = frameBytes;
        this.areReportsRead = areReportsRead;
        this.consumer = consumer;
    }

    @Override
    public void beginBlock(long sequence, long blockTimeNs) {
        index = 0;
        frame.begin(frameBytes, sequence, blockTimeNs, index);
    }

    @Override
    public void add(DirectBuffer buffer, int offset, int length) {
        reserve(length);
        frame.add(buffer, offset, length);
        index++;
    }

    @Override
    public void add(ReportRecord report) {
        if (areReportsRead) {
            reserve(ReportRecord.LENGTH);
            frame.add(report);
            index++;
        }
    }

    @Override
    public void add(ResultRun run) {
        if (!frame.hasRoom(run)) {
            handOver();
        }
        frame.add(run);
    }

    private void reserve(int length) {
        if (!frame.hasRoom(length)) {
            handOver();
        }
    }

    private void handOver() {
        consumer.accept(frame);
        frame.begin(frameBytes, frame.blockSequence(), frame.blockTimeNs(), index);
    }

    @Override
    public void endBlock(BlockEnd end) {
        frame.end(end);
        consumer.accept(frame);
    }

    /** Returns 1: nothing waits between execution and the consumer. */
    @Override
    public double freeRatio() {
        return 1;
    }

    /** Does nothing: the consumer has read everything. */
    @Override
    public void close() {}
}
