package io.sealbook.engine.output;

import io.sealbook.matching.ReportRecord;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One slot of the output ring: a part of one block's messages. Filled by the matching loop, read by the consumers, then
 * used again; a consumer that keeps bytes copies them.
 */
public final class OutputFrame {
    private byte[] bytes;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private long blockSequence;
    private long blockTimeNs;
    private int firstIndex;
    private int length;
    private BlockEnd blockEnd;

    public long blockSequence() {
        return blockSequence;
    }

    public long blockTimeNs() {
        return blockTimeNs;
    }

    /** Returns the position in the block of the first message here, from 0. */
    public int firstIndex() {
        return firstIndex;
    }

    /** Returns the arena, which contains messages in {@code 0..length()}. */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    /** Returns whether the block ends here. */
    public boolean isLast() {
        return blockEnd != null;
    }

    /** Returns the facts of the block's end; null in all but the last frame of a block. */
    public BlockEnd blockEnd() {
        return blockEnd;
    }

    void begin(int capacity, long sequence, long timeNs, int index) {
        if (bytes == null) {
            bytes = new byte[capacity];
            buffer.wrap(bytes);
        }
        blockSequence = sequence;
        blockTimeNs = timeNs;
        firstIndex = index;
        length = 0;
        blockEnd = null;
    }

    boolean hasRoom(int messageLength) {
        return length + messageLength <= bytes.length;
    }

    void add(DirectBuffer buffer, int offset, int messageLength) {
        buffer.getBytes(offset, bytes, length, messageLength);
        length += messageLength;
    }

    void add(ReportRecord report) {
        report.get(bytes, length);
        length += ReportRecord.LENGTH;
    }

    void end(BlockEnd end) {
        blockEnd = end;
    }
}
