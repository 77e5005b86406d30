package io.sealbook.engine.output;

import io.sealbook.matching.ReportRecord;
import io.sealbook.matching.ResultRun;
import org.agrona.DirectBuffer;

/** Takes what executed blocks put out, block after block. Only the thread that executes calls it. */
public interface BlockOutput extends AutoCloseable {
    /**
     * Starts a block.
     *
     * @param sequence the block
     * @param blockTimeNs its agreed time, ns since the epoch
     */
    void beginBlock(long sequence, long blockTimeNs);

    /**
     * Adds a message to the block; waits while there is no room.
     *
     * @param buffer holds an SBE message with its header; copied
     * @param offset where the message begins
     * @param length bytes of the message, at most the size of a frame
     */
    void add(DirectBuffer buffer, int offset, int length);

    /** Adds a report to the block as its message, if the consumers read reports; waits while there is no room. */
    void add(ReportRecord report);

    /** Adds results of one broker to the block; waits while there is no room. */
    void add(ResultRun run);

    /** Ends the block and hands its last frame over. */
    void endBlock(BlockEnd end);

    /** Returns the free share of what is between the executing thread and the consumers, 0 to 1. */
    double freeRatio();

    /** Waits until the consumers have read everything; after a failure it stops where they are. */
    @Override
    void close();
}
