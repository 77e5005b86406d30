package io.sealbook.engine.output;

import io.sealbook.matching.ReportRecord;
import io.sealbook.matching.ResultRun;
import io.sealbook.vocabulary.Sha256;
import io.sealbook.vocabulary.result.ReportRun;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One slot of the output ring: a part of one block's messages and runs of results. Filled by the matching loop, read by
 * the consumers, then used again; a consumer that keeps bytes copies them.
 *
 * <p>Messages fill the arena from its start on, runs from its end down: the hash of the run's leaf, the run, its
 * length.
 */
public final class OutputFrame {
    private static final int RUN_ADDED_LENGTH = Sha256.LENGTH + Integer.BYTES;
    /** A smaller arena would not take each run. */
    private static final int LENGTH_MIN = ReportRun.LENGTH_MAX + RUN_ADDED_LENGTH;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Takes the runs of a frame in order. */
    @FunctionalInterface
    public interface RunVisitor {
        /**
         * Takes a run.
         *
         * @param bytes contain it; valid during the call
         * @param offset where it begins
         * @param length in bytes, see {@link ReportRun}
         * @param leafHashOffset where the hash of the leaf of its cells begins in {@code bytes}
         */
        void onRun(byte[] bytes, int offset, int length, int leafHashOffset);
    }

    private byte[] bytes;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private long blockSequence;
    private long blockTimeNs;
    private int firstIndex;
    private int length;
    /** Where the run added last begins. */
    private int runsAt;

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
            bytes = new byte[Math.max(capacity, LENGTH_MIN)];
            buffer.wrap(bytes);
        }
        blockSequence = sequence;
        blockTimeNs = timeNs;
        firstIndex = index;
        length = 0;
        runsAt = bytes.length;
        blockEnd = null;
    }

    boolean hasRoom(int messageLength) {
        return length + messageLength <= runsAt;
    }

    boolean hasRoom(ResultRun run) {
        return hasRoom(RUN_ADDED_LENGTH + run.length());
    }

    void add(DirectBuffer buffer, int offset, int messageLength) {
        buffer.getBytes(offset, bytes, length, messageLength);
        length += messageLength;
    }

    void add(ReportRecord report) {
        report.get(bytes, length);
        length += ReportRecord.LENGTH;
    }

    void add(ResultRun run) {
        int runLength = run.length();
        INT.set(bytes, runsAt - Integer.BYTES, runLength);
        runsAt -= RUN_ADDED_LENGTH + runLength;
        run.getLeafHash(bytes, runsAt);
        run.get(bytes, runsAt + Sha256.LENGTH);
    }

    /** Visits the runs in the order in which they were added. */
    public void forEachRun(RunVisitor visitor) {
        int end = bytes.length;
        while (end > runsAt) {
            int runLength = (int) INT.get(bytes, end - Integer.BYTES);
            end -= RUN_ADDED_LENGTH + runLength;
            visitor.onRun(bytes, end + Sha256.LENGTH, runLength, end);
        }
    }

    void end(BlockEnd end) {
        blockEnd = end;
    }
}
