package io.sealbook.engine.journal;

import io.sealbook.engine.output.OutputMessages;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * Reads the journal block by block after a position. For one thread; independent of the writer and of other readers.
 */
public final class JournalReader implements AutoCloseable {
    private static final int READ_BYTES = 1 << 18;

    private final ExecutionJournal journal;
    private final Path directory;
    private final OutputMessages messages = new OutputMessages();
    private final ByteBuffer header =
            ByteBuffer.allocate(JournalFrame.HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private ByteBuffer window = ByteBuffer.allocate(READ_BYTES).limit(0);
    private byte[] frame = new byte[READ_BYTES];
    private FileChannel file;
    private long position;

    JournalReader(ExecutionJournal journal, Path directory, long position) {
        this.journal = journal;
        this.directory = directory;
        this.position = position;
    }

    /** Returns the last block read, or where reading starts. */
    public long position() {
        return position;
    }

    /**
     * Reads the next block.
     *
     * @return number of messages, or -1 when no further whole block can be read yet
     * @throws JournalGapException if the journal no longer holds the block that follows
     * @throws UncheckedIOException if a frame is damaged, or cannot be read; the position stays
     */
    public int next(OutputMessages.Visitor visitor) {
        if (journal.lastBlock() <= position) {
            return -1;
        }
        try {
            if (file == null) {
                moveTo(position + 1);
            }
            int count = 0;
            boolean isLast;
            do {
                readHeader();
                int length = header.getInt(0);
                long block = header.getLong(8);
                isLast = header.getInt(28) == 1;
                if (block != position + 1) {
                    throw new JournalGapException("journal: found block " + block + ", expected " + (position + 1));
                }
                readMessages(length);
                count += messages.forEach(frame, length, header.getInt(24), visitor);
            } while (!isLast);
            position++;
            return count;
        } catch (IOException e) {
            throw new UncheckedIOException("journal: cannot read block " + (position + 1), e);
        }
    }

    @Override
    public void close() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("journal: cannot close", e);
        }
    }

    private void moveTo(long block) throws IOException {
        Map.Entry<Long, Path> segment = ExecutionJournal.segments(directory).floorEntry(block);
        if (segment == null) {
            throw new JournalGapException(
                    "journal: starts at block " + journal.firstBlock() + ", needed from block " + block);
        }
        file = FileChannel.open(segment.getValue(), StandardOpenOption.READ);
        window.limit(0);
        while (true) {
            readHeader();
            if (header.getLong(8) >= block) {
                window.position(window.position() - JournalFrame.HEADER_LENGTH);
                return;
            }
            readMessages(header.getInt(0));
        }
    }

    private void readHeader() throws IOException {
        if (!fill(JournalFrame.HEADER_LENGTH)) {
            nextSegment();
        }
        window.get(header.array(), 0, JournalFrame.HEADER_LENGTH);
    }

    /** At the end of a file the block that follows starts the next one. */
    private void nextSegment() throws IOException {
        Path next = ExecutionJournal.segments(directory).get(position + 1);
        if (next == null) {
            throw new EOFException("journal: no file starts at block " + (position + 1));
        }
        file.close();
        file = FileChannel.open(next, StandardOpenOption.READ);
        window.limit(0);
        if (!fill(JournalFrame.HEADER_LENGTH)) {
            throw new EOFException("journal: " + next + " is empty");
        }
    }

    private void readMessages(int length) throws IOException {
        if (length < 0 || length > JournalFrame.LENGTH_MAX) {
            throw new IOException("journal: frame of " + length + " bytes");
        }
        if (frame.length < length) {
            frame = new byte[length];
        }
        if (!fill(length)) {
            throw new EOFException("journal: frame of block " + header.getLong(8) + " is torn");
        }
        window.get(frame, 0, length);
        if (!JournalFrame.isSound(header.array(), frame, length)) {
            throw new IOException("journal: a frame after block " + position + " is damaged");
        }
    }

    /** Makes {@code length} bytes available in the window; false when the file ends before the first of them. */
    private boolean fill(int length) throws IOException {
        if (window.remaining() >= length) {
            return true;
        }
        if (window.capacity() < length) {
            window = ByteBuffer.allocate(length).put(window).flip();
        }
        window.compact();
        int available = window.position();
        while (window.position() < length) {
            if (file.read(window) < 0) {
                break;
            }
        }
        window.flip();
        if (window.remaining() < length && (available > 0 || window.remaining() > 0)) {
            throw new EOFException("journal: ends within a frame after block " + position);
        }
        return window.remaining() >= length;
    }
}
