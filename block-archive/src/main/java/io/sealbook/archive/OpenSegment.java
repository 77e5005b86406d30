package io.sealbook.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The segment that is appended to. Its index is in memory; entries become visible to readers when {@link #count} has
 * been raised.
 *
 * <pre>
 *   created ──give its name──▶ open ──append*──▶ full ──index──▶ force, "CLSD", force──▶ closed
 * </pre>
 */
final class OpenSegment implements AutoCloseable {
    /** How files are opened for writing; tests put a full disk here. */
    interface ChannelOpener {
        FileChannel open(Path file) throws IOException;
    }

    static final ChannelOpener READ_WRITE =
            file -> FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);

    private static final int STAGING_LENGTH = 1 << 20;
    private static final String UNFINISHED_SUFFIX = ".unfinished";

    private final Path file;
    private final FileChannel channel;
    private final SegmentHead head;
    private final SegmentEntry[] entries;
    private final byte[] recordHeader = new byte[SegmentRecord.HEADER_LENGTH];
    private ByteBuffer staging;
    private volatile int count;
    private long end;
    private IOException failure;

    private OpenSegment(Path file, FileChannel channel, SegmentHead head, List<SegmentEntry> found, long end) {
        this.file = file;
        this.channel = channel;
        this.head = head;
        this.entries = found.toArray(new SegmentEntry[head.blocksPerSegment()]);
        this.count = found.size();
        this.end = end;
    }

    /**
     * Creates the file of a segment, with its head whole and on the disk; it has another name until {@link #giveName}.
     */
    static OpenSegment create(Path directory, SegmentHead head, ChannelOpener opener) throws IOException {
        Path file = SegmentFiles.path(directory, head.firstSequence());
        Path unfinished = unfinished(file);
        Files.deleteIfExists(unfinished);
        Files.createFile(unfinished);
        FileChannel channel = opener.open(unfinished);
        try {
            PositionalIo.write(channel, head.encodeHeadRoom(), 0);
            channel.force(true);
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(unfinished);
            throw e;
        }
        return new OpenSegment(file, channel, head, List.of(), head.recordsOffset());
    }

    /** Gives a created file its name: from now on it belongs to the archive. */
    void giveName() throws IOException {
        Files.move(unfinished(file), file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes the file of a segment that was created and got no name. */
    void delete() throws IOException {
        channel.close();
        Files.deleteIfExists(unfinished(file));
    }

    static Path unfinished(Path file) {
        return file.resolveSibling(file.getFileName() + UNFINISHED_SUFFIX);
    }

    /** Returns whether a file is one that has not got its name yet. */
    static boolean isUnfinished(Path file) {
        return file.getFileName().toString().endsWith(UNFINISHED_SUFFIX);
    }

    /** Goes on with a segment that a scan has read; cuts off its torn tail. */
    static OpenSegment resume(Path file, FileChannel channel, SegmentHead head, SegmentScan.Result scan)
            throws IOException {
        if (scan.tornBytes() > 0) {
            channel.truncate(scan.end());
            channel.force(true);
        }
        return new OpenSegment(file, channel, head, scan.entries(), scan.end());
    }

    long firstSequence() {
        return head.firstSequence();
    }

    boolean isFull() {
        return count == entries.length;
    }

    /** Returns the entry of a block of this segment, of any thread. */
    SegmentEntry entry(long sequence) {
        int index = (int) (sequence - head.firstSequence());
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("block " + sequence + " of " + count + " in " + file);
        }
        synchronized (entries) {
            return entries[index];
        }
    }

    /**
     * Appends a block. When it cannot be written whole, what was written is cut off again.
     *
     * @throws ArchiveFullException if there is no room; the segment is as it was
     */
    void append(long sequence, byte[] block) {
        if (failure != null) {
            throw new ArchiveException("cannot append to " + file + ", it failed before", failure);
        }
        int crc = Crc32c.of(block);
        new SegmentRecord(sequence, block.length, crc).encode(recordHeader, head.mark());
        try {
            write(block);
        } catch (IOException e) {
            rollBack(e);
            throw PositionalIo.failure("cannot append block " + sequence + " to " + file, e);
        }
        synchronized (entries) {
            entries[count] = new SegmentEntry(
                    end + SegmentRecord.HEADER_LENGTH, block.length, crc, SegmentEntry.EXECUTION_TIME_UNKNOWN, false);
        }
        end += SegmentRecord.HEADER_LENGTH + block.length;
        count = count + 1;
    }

    private void write(byte[] block) throws IOException {
        if (staging == null) {
            staging = ByteBuffer.allocateDirect(STAGING_LENGTH);
        }
        long at = end;
        int written = 0;
        staging.clear().put(recordHeader);
        do {
            int length = Math.min(staging.remaining(), block.length - written);
            staging.put(block, written, length).flip();
            written += length;
            int chunk = staging.remaining();
            PositionalIo.write(channel, staging, at);
            at += chunk;
            staging.clear();
        } while (written < block.length);
    }

    private void rollBack(IOException cause) {
        try {
            channel.truncate(end);
        } catch (IOException e) {
            cause.addSuppressed(e);
            failure = cause;
        }
    }

    /**
     * Remembers when a block was executed, in memory and in its place in the head.
     *
     * @throws ClosedChannelException if the segment is closed; its file has to be opened again
     */
    void putExecutionTime(long sequence, long executionTimeNs) throws IOException {
        SegmentEntry entry;
        synchronized (entries) {
            entry = entry(sequence).withExecutionTime(executionTimeNs);
            entries[(int) (sequence - head.firstSequence())] = entry;
        }
        PositionalIo.write(channel, entry.encode(sequence), head.entryOffset(sequence));
    }

    /**
     * Replaces the entry of a block that was written anew.
     *
     * @param sequence of a block of this segment
     * @param entry of its bytes as they are now
     */
    void replaceEntry(long sequence, SegmentEntry entry) {
        synchronized (entries) {
            entry(sequence);
            entries[(int) (sequence - head.firstSequence())] = entry;
        }
    }

    void force() throws IOException {
        channel.force(false);
    }

    /** Writes the index of a full segment into its head: from now on readers may find blocks there. */
    void writeIndex() throws IOException {
        ByteBuffer index = ByteBuffer.allocate(entries.length * SegmentEntry.LENGTH);
        synchronized (entries) {
            for (int i = 0; i < entries.length; i++) {
                entries[i].encode(index, head.firstSequence() + i);
            }
            PositionalIo.write(channel, index.flip(), SegmentHead.LENGTH);
        }
    }

    /** Marks a full segment closed; its blocks and its index are on the disk before. Any thread. */
    void markClosed() throws IOException {
        channel.force(true);
        ByteBuffer state = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        PositionalIo.write(channel, state.putInt(SegmentHead.CLOSED).flip(), SegmentHead.STATE_OFFSET);
        channel.force(true);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
