package io.sealbook.engine.reports;

import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.vocabulary.result.RecordPacker;
import io.sealbook.vocabulary.result.RunTree;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads the reports of a store as the runs over which a broker's digest goes. Files may hold a run cut in two, so that
 * each is packed again. One thread at a time.
 */
final class BlockRunReader {
    private static final int RECORD_LENGTH = ReportStore.RECORD_LENGTH;
    private static final int BLOCK_OFFSET =
            MessageHeaderDecoder.ENCODED_LENGTH + ExecutionReportDecoder.blockSequenceEncodingOffset();
    /** Reports that are read at once; more than a run, so that the report after it is seen. */
    private static final int WINDOW = 2 * RunTree.RUN_MAX;

    private final ReportStore store;
    private final RecordPacker packer = new RecordPacker(RECORD_LENGTH);
    private final byte[] packed = new byte[RunTree.RUN_MAX * packer.packedLengthMax() + RecordPacker.SLACK];
    private final ByteBuffer window =
            ByteBuffer.allocate(WINDOW * RECORD_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private long windowFirst;
    private int windowCount;
    private long next;

    BlockRunReader(ReportStore store) {
        this.store = store;
    }

    /** Returns the report that the next run begins with. */
    long next() {
        return next;
    }

    /**
     * Goes to the first report of the block of a report.
     *
     * @return false if it is no longer kept
     */
    boolean moveToBlockOf(long sequence) {
        long first = store.first();
        if (sequence < first) {
            return false;
        }
        long block = blockAt(sequence);
        long low = first;
        long high = sequence;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (blockAt(middle) < block) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        next = low;
        windowCount = 0;
        return low > first || first == 1;
    }

    /**
     * Reads the next run.
     *
     * @param last report of a whole block, at or after {@link #next()}: no later one is read
     * @return empty if it is no longer kept
     */
    Optional<PackedRun> take(long last) {
        int available = (int) Math.min(RunTree.RUN_MAX + 1, last - next + 1);
        if (!fill(available)) {
            return Optional.empty();
        }
        int at = (int) (next - windowFirst) * RECORD_LENGTH;
        long block = window.getLong(at + BLOCK_OFFSET);
        int count = 1;
        while (count < available && window.getLong(at + count * RECORD_LENGTH + BLOCK_OFFSET) == block) {
            count++;
        }
        boolean isLast = count <= RunTree.RUN_MAX;
        count = Math.min(count, RunTree.RUN_MAX);
        packer.reset();
        int end = 0;
        for (int i = 0; i < count; i++) {
            end = packer.pack(window.array(), at + i * RECORD_LENGTH, packed, end);
        }
        PackedRun run = new PackedRun(next, count, Arrays.copyOf(packed, end), isLast);
        next += count;
        return Optional.of(run);
    }

    /** Makes this number of reports from the next one on available in the window; false if they are no longer kept. */
    private boolean fill(int count) {
        long end = windowFirst + windowCount;
        if (windowCount > 0 && next + count <= end) {
            return true;
        }
        int kept = windowCount == 0 ? 0 : (int) (end - next);
        window.position((windowCount - kept) * RECORD_LENGTH)
                .limit(windowCount * RECORD_LENGTH)
                .compact();
        windowFirst = next;
        windowCount = kept;
        while (windowCount < count) {
            int read = store.read(windowFirst + windowCount, window);
            if (read == 0) {
                windowCount = 0;
                return false;
            }
            windowCount += read;
        }
        return true;
    }

    private long blockAt(long sequence) {
        ByteBuffer record = ByteBuffer.allocate(RECORD_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        return store.read(sequence, record) == 0 ? 0 : record.getLong(BLOCK_OFFSET);
    }
}
