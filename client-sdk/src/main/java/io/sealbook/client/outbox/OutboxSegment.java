package io.sealbook.client.outbox;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * One file of an outbox. One thread at a time.
 *
 * <pre>
 *   offset  length  meaning (little-endian), for each batch
 *   0       4       length of the signed batch, n
 *   4       4       CRC32C over the signed batch
 *   8       n       signed batch
 * </pre>
 */
final class OutboxSegment implements AutoCloseable {
    static final String PREFIX = "batches-";
    private static final int HEADER_LENGTH = 8;

    private final Path file;
    private final FileChannel channel;
    private long length;
    /** Batches in the file whose block is not known. */
    private long openCount;

    private OutboxSegment(Path file, FileChannel channel) {
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
        Path file = directory.resolve(String.format("%s%019d", PREFIX, firstNumber));
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
        return new OutboxSegment(file, channel);
    }

    /**
     * Reads a file, and cuts off what a crash left unfinished at its end.
     *
     * @param file exists
     * @param signedBatches gets what is in it
     */
    static OutboxSegment open(Path file, List<byte[]> signedBatches) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        OutboxSegment segment = new OutboxSegment(file, channel);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        for (byte[] batch = next(bytes); batch != null; batch = next(bytes)) {
            signedBatches.add(batch);
            segment.openCount++;
            segment.length = bytes.position();
        }
        channel.truncate(segment.length);
        return segment;
    }

    private static byte[] next(ByteBuffer bytes) {
        if (bytes.remaining() < HEADER_LENGTH) {
            return null;
        }
        int length = bytes.getInt();
        int crc = bytes.getInt();
        if (length <= 0 || length > bytes.remaining()) {
            return null;
        }
        byte[] batch = new byte[length];
        bytes.get(batch);
        return crc == crcOf(batch) ? batch : null;
    }

    private static int crcOf(byte[] batch) {
        CRC32C crc = new CRC32C();
        crc.update(batch);
        return (int) crc.getValue();
    }

    /** Appends batches in one write and makes them durable. */
    void append(List<byte[]> signedBatches) throws IOException {
        List<ByteBuffer> parts = new ArrayList<>(2 * signedBatches.size());
        for (byte[] batch : signedBatches) {
            parts.add(ByteBuffer.allocate(HEADER_LENGTH)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(batch.length)
                    .putInt(crcOf(batch))
                    .flip());
            parts.add(ByteBuffer.wrap(batch));
            length += HEADER_LENGTH + batch.length;
        }
        ByteBuffer[] buffers = parts.toArray(ByteBuffer[]::new);
        channel.position(
                length - parts.stream().mapToLong(ByteBuffer::remaining).sum());
        while (buffers[buffers.length - 1].hasRemaining()) {
            channel.write(buffers);
        }
        channel.force(false);
        openCount += signedBatches.size();
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

    void delete() throws IOException {
        channel.close();
        Files.delete(file);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
