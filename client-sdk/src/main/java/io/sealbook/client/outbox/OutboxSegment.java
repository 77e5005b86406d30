package io.sealbook.client.outbox;

import io.sealbook.client.OutboxException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * One file of an outbox. One thread at a time.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       8       ASCII "SBOUTB02"
 *   8       ...     for each batch:
 *     0     4       length of the signed batch, n
 *     4     4       CRC32C over all that follows
 *     8     8       confirmed offset: every byte before it was durable when this batch was written
 *     16    n       signed batch
 * </pre>
 *
 * <p>A crash leaves any part of the last write. What a later batch confirms is not that part: the file is damaged.
 */
final class OutboxSegment implements AutoCloseable {
    static final String PREFIX = "batches-";
    private static final byte[] MAGIC = "SBOUTB02".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_LENGTH = 16;
    private static final int CHECKED_FROM = 8;

    private final Path file;
    private final FileChannel channel;
    private long length;
    /** Whether the file may have bytes after {@link #length}: a write has failed, and was not cut off. */
    private boolean isUncut;
    /** Batches in the file whose block is not known. */
    private long openCount;

    /** Tests have channels that break. */
    OutboxSegment(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Creates the file of the batches from a number on.
     *
     * @param directory of the outbox
     * @param firstNumber of the first batch
     */
    static OutboxSegment create(Path directory, long firstNumber) throws IOException {
        Path file = directory.resolve(String.format(Locale.ROOT, "%s%019d", PREFIX, firstNumber));
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        write(channel, 0, ByteBuffer.wrap(MAGIC));
        channel.force(true);
        forceNames(directory);
        OutboxSegment segment = new OutboxSegment(file, channel);
        segment.length = MAGIC.length;
        return segment;
    }

    static void forceNames(Path directory) throws IOException {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /**
     * Reads a file, cuts off what a crash left unfinished at its end, and makes the rest durable.
     *
     * @param file exists
     * @param isLast whether it is the file that was written last: only that one has an unfinished end
     * @param signedBatches gets what is in it
     * @throws OutboxException if a batch is damaged that was durable, or the file is of another version
     */
    static OutboxSegment open(Path file, boolean isLast, List<byte[]> signedBatches) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int end = headerEnd(file, bytes);
        for (byte[] batch = batchAt(bytes, end); batch != null; batch = batchAt(bytes, end)) {
            signedBatches.add(batch);
            end += HEADER_LENGTH + batch.length;
        }
        if (end < bytes.limit() && (!isLast || isConfirmed(bytes, end))) {
            throw new OutboxException(
                    file + " is damaged at offset " + end
                            + ", before batches that were kept later; signing again would suspend the session",
                    null);
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        OutboxSegment segment = new OutboxSegment(file, channel);
        segment.openCount = signedBatches.size();
        segment.length = end;
        channel.truncate(end);
        // The run that wrote the last batches may have ended before they were durable; they are sent next.
        channel.force(true);
        return segment;
    }

    /** Returns where the first batch begins; the file's end if a crash left no header. */
    private static int headerEnd(Path file, ByteBuffer bytes) {
        byte[] header = Arrays.copyOf(bytes.array(), MAGIC.length);
        if (bytes.limit() >= MAGIC.length && Arrays.equals(header, MAGIC)) {
            return MAGIC.length;
        }
        boolean isUnwritten = bytes.limit() <= MAGIC.length
                && (Arrays.equals(header, new byte[MAGIC.length])
                        || Arrays.equals(header, Arrays.copyOf(Arrays.copyOf(MAGIC, bytes.limit()), MAGIC.length)));
        if (isUnwritten) {
            return bytes.limit();
        }
        throw new OutboxException(file + " is damaged, or no outbox of this version", null);
    }

    /** Returns whether a batch after a place says that everything up to beyond this place was durable. */
    private static boolean isConfirmed(ByteBuffer bytes, int place) {
        for (int at = place + 1; at <= bytes.limit() - HEADER_LENGTH; at++) {
            long confirmed = bytes.getLong(at + CHECKED_FROM);
            if (confirmed > place && confirmed <= at && batchAt(bytes, at) != null) {
                return true;
            }
        }
        return false;
    }

    /** Returns the batch at an offset; null if there is no whole one. */
    private static byte[] batchAt(ByteBuffer bytes, int offset) {
        if (bytes.limit() - offset < HEADER_LENGTH) {
            return null;
        }
        int length = bytes.getInt(offset);
        if (length <= 0 || length > bytes.limit() - offset - HEADER_LENGTH) {
            return null;
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(offset + CHECKED_FROM, HEADER_LENGTH - CHECKED_FROM + length));
        return bytes.getInt(offset + Integer.BYTES) == (int) crc.getValue()
                ? Arrays.copyOfRange(bytes.array(), offset + HEADER_LENGTH, offset + HEADER_LENGTH + length)
                : null;
    }

    /**
     * Appends batches in one write and makes them durable; cuts off what a failure left of it, if it can
     * ({@link #isUncut}). An error is a failure, too: a write needs memory outside of the heap.
     */
    void append(List<byte[]> signedBatches) throws IOException {
        long confirmed = length;
        List<ByteBuffer> parts = new ArrayList<>(2 * signedBatches.size());
        for (byte[] batch : signedBatches) {
            parts.add(header(batch, confirmed));
            parts.add(ByteBuffer.wrap(batch));
        }
        long end = confirmed + parts.stream().mapToLong(ByteBuffer::remaining).sum();
        isUncut = true;
        try {
            write(channel, confirmed, parts.toArray(ByteBuffer[]::new));
            channel.force(false);
        } catch (IOException | RuntimeException | Error e) {
            cutOff(confirmed, e);
            throw e;
        }
        isUncut = false;
        length = end;
        openCount += signedBatches.size();
    }

    private void cutOff(long end, Throwable failure) {
        try {
            channel.truncate(end);
            channel.force(true);
            isUncut = false;
        } catch (IOException | RuntimeException | Error e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        }
    }

    /** Returns whether the file may have something of a failed {@link #append}. */
    boolean isUncut() {
        return isUncut;
    }

    private static ByteBuffer header(byte[] batch, long confirmed) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0, batch.length).putLong(CHECKED_FROM, confirmed);
        CRC32C crc = new CRC32C();
        crc.update(header.slice(CHECKED_FROM, HEADER_LENGTH - CHECKED_FROM));
        crc.update(batch);
        return header.putInt(Integer.BYTES, (int) crc.getValue());
    }

    private static void write(FileChannel channel, long offset, ByteBuffer... parts) throws IOException {
        channel.position(offset);
        while (parts[parts.length - 1].hasRemaining()) {
            channel.write(parts);
        }
    }

    /** Notes that one batch of the file is in a block. */
    void onDone() {
        openCount--;
    }

    boolean isDone() {
        return openCount == 0;
    }

    long length() {
        return length;
    }

    /** Deletes the file; may be called again after a failure. */
    void delete() throws IOException {
        channel.close();
        Files.deleteIfExists(file);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
