package io.sealbook.engine.output;

import java.util.function.Consumer;

/**
 * Hands each frame to its consumer on the thread that executes: no thread is woken for a block, and a disk that does
 * not keep up slows execution down at once.
 */
public final class DirectOutput extends FramedOutput {
    private final OutputFrame frame = new OutputFrame();
    private final Consumer<OutputFrame> consumer;

    /**
     * @param frameBytes size of the one frame's arena, at least one message
     * @param areReportsRead whether the consumer requires each report as a message; else it has the runs
     * @param consumer reads each frame before it is filled again; what it throws ends the execution of the block
     */
    public DirectOutput(int frameBytes, boolean areReportsRead, Consumer<OutputFrame> consumer) {
        super(frameBytes, areReportsRead);
        this.consumer = consumer;
    }

    @Override
    OutputFrame nextFrame() {
        return frame;
    }

    @Override
    void handOver(OutputFrame filled) {
        consumer.accept(filled);
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
