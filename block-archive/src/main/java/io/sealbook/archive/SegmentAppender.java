package io.sealbook.archive;

import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;

/**
 * Appends blocks to the open segment, and begins the next one when it is full. One thread appends; any thread reads
 * entries, forces the open segment and notes execution times.
 */
final class SegmentAppender implements AutoCloseable {
    private final Path directory;
    private final ArchiveConfig config;
    private final LongSupplier marks;
    private final SegmentWorker worker;
    private volatile OpenSegment open;

    /**
     * Begins without an open segment.
     *
     * @param directory of the archive
     * @param config what this archive is
     * @param opener of files for writing
     * @param workerThread carries out one task after another; closed with this appender
     * @param marks random numbers, one per segment
     */
    SegmentAppender(
            Path directory,
            ArchiveConfig config,
            OpenSegment.ChannelOpener opener,
            ExecutorService workerThread,
            LongSupplier marks) {
        this.directory = directory;
        this.config = config;
        this.marks = marks;
        this.worker = new SegmentWorker(directory, this::head, opener, workerThread);
    }

    private SegmentHead head(long firstSequence) {
        return new SegmentHead(config.blocksPerSegment(), firstSequence, config.genesisDigest(), marks.getAsLong());
    }

    /** Goes on with a segment that is not full. */
    void resume(OpenSegment segment) {
        open = segment;
        worker.prepare(segment.firstSequence() + config.blocksPerSegment());
    }

    /** @throws ArchiveException if a full segment could not be closed: every later append fails too */
    void check() {
        worker.check();
    }

    /**
     * Appends a block after the last one.
     *
     * @param sequence of the block
     * @param block not kept after the call
     * @return where it lies now
     * @throws ArchiveFullException if there is no room; the archive is as it was, and the append may be tried again
     */
    SegmentEntry append(long sequence, byte[] block) {
        try {
            if (open == null || open.isFull()) {
                roll(sequence);
            }
        } catch (IOException e) {
            throw PositionalIo.failure("cannot begin the segment of block " + sequence, e);
        }
        open.append(sequence, block);
        return open.entry(sequence);
    }

    private void roll(long first) throws IOException {
        OpenSegment full = open;
        if (full != null) {
            full.writeIndex();
            if (config.durability().isDisk()) {
                full.force();
            }
        }
        OpenSegment next = worker.take(first);
        try {
            next.giveName();
            if (config.durability().isDisk()) {
                PositionalIo.forceDirectory(directory);
            }
        } catch (IOException e) {
            next.close();
            throw e;
        }
        open = next;
        if (full != null) {
            worker.close(full);
        }
        worker.prepare(first + config.blocksPerSegment());
    }

    /** Makes every block appended before the call durable, with {@link Durability#DISK}. Any thread. */
    void sync() {
        OpenSegment segment = open;
        if (!config.durability().isDisk() || segment == null) {
            return;
        }
        try {
            segment.force();
        } catch (IOException e) {
            if (segment == open) {
                throw PositionalIo.failure("cannot force the archive in " + directory, e);
            }
            // The segment was closed meanwhile, and forced before that; what came after it is in the next one.
            sync();
        }
    }

    /** Returns the entry of a block, or null if its segment is not the open one. Any thread. */
    SegmentEntry entryOrNull(long sequence) {
        OpenSegment segment = open;
        return segment != null && sequence >= segment.firstSequence() ? segment.entry(sequence) : null;
    }

    /**
     * Notes when a block was executed. Any thread.
     *
     * @param sequence of the block
     * @param executedTimeNs nanoseconds since 1970, above 0
     * @return false if the block's segment is not the open one
     */
    boolean putExecutionTime(long sequence, long executedTimeNs) throws IOException {
        OpenSegment segment = open;
        if (segment == null || sequence < segment.firstSequence()) {
            return false;
        }
        try {
            segment.putExecutionTime(sequence, executedTimeNs);
            return true;
        } catch (ClosedChannelException e) {
            // It became full and was closed meanwhile.
            return false;
        }
    }

    /**
     * Replaces the entry of a block that was repaired. The thread that appends.
     *
     * @param sequence of the block
     * @param entry of its bytes as they are now
     * @return false if the block's segment is not the open one
     */
    boolean replaceEntry(long sequence, SegmentEntry entry) {
        OpenSegment segment = open;
        if (segment == null || sequence < segment.firstSequence()) {
            return false;
        }
        segment.replaceEntry(sequence, entry);
        return true;
    }

    /** Closes the open segment. A full one gets its index; any other is scanned when the archive is opened again. */
    @Override
    public void close() throws IOException {
        try (worker) {
            if (open == null) {
                return;
            }
            if (open.isFull()) {
                open.writeIndex();
                worker.close(open);
                return;
            }
            if (config.durability().isDisk()) {
                open.force();
            }
            open.close();
        }
    }
}
