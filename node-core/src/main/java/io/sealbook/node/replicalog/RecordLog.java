package io.sealbook.node.replicalog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.TreeMap;

/**
 * Byte strings appended to the newest segment file of a directory, and the rewriting of that file when it is full.
 *
 * <p>Files are extended to their full length when created, without their blocks, so that an append changes no metadata. Writing goes
 * through the channel and not through a mapping: a full disk is then an exception and not a signal. One thread.
 */
final class RecordLog implements AutoCloseable {
    private static final String SUFFIX = ".segment";
    private static final String TEMPORARY = "next.tmp";

    private final Path directory;
    private final boolean isDiskDurable;
    private final int segmentLength;
    private final FileChannel lockFile;
    private List<byte[]> recovered;
    private FileChannel channel;
    private long number;
    private long capacity;
    private long end;
    private long syncedEnd;
    private ReplicaLogFailedException failure;

    /**
     * @param isDiskDurable whether {@link #sync} reaches the disk and not only the kernel
     * @param segmentLength bytes a segment file is created with; a larger one is made when the snapshot asks for it
     */
    RecordLog(Path directory, boolean isDiskDurable, int segmentLength) {
        this.directory = directory;
        this.isDiskDurable = isDiskDurable;
        this.segmentLength = segmentLength;
        try {
            Files.createDirectories(directory);
            lockFile = lock(directory);
        } catch (IOException e) {
            throw new ReplicaLogFailedException("opening " + directory, e);
        }
        boolean isRecovered = false;
        try {
            recover();
            isRecovered = true;
        } catch (IOException e) {
            throw fail("reading " + directory, e);
        } finally {
            if (!isRecovered) {
                abandon();
            }
        }
    }

    /** Returns what was found when the log was opened, once; the list is the caller's. */
    List<byte[]> takeRecovered() {
        List<byte[]> taken = recovered;
        recovered = List.of();
        return taken;
    }

    /** Returns whether a record of this content goes into the present segment. */
    boolean hasRoom(int contentLength) {
        return end + Segment.recordLength(contentLength) <= capacity;
    }

    /** Returns bytes written to the present segment. */
    long end() {
        return end;
    }

    /** Hands a record to the kernel. There must be room. */
    void append(byte[] content) {
        requireWorking();
        if (content.length == 0 || content.length > Segment.CONTENT_LENGTH_MAX) {
            throw new IllegalArgumentException("replica log: record of " + content.length + " bytes");
        }
        if (!hasRoom(content.length)) {
            throw new IllegalStateException("replica log: segment " + number + " has no room at " + end);
        }
        ByteBuffer record = Segment.record(number, end, isDiskDurable ? syncedEnd : end, content);
        try {
            writeFully(channel, record, end);
        } catch (IOException e) {
            throw fail("append to segment " + number, e);
        }
        end += record.capacity();
    }

    /** Makes everything appended durable in the class the log was opened with. */
    void sync() {
        requireWorking();
        if (!isDiskDurable || syncedEnd == end) {
            return;
        }
        try {
            channel.force(false);
        } catch (IOException e) {
            throw fail("fsync of segment " + number, e);
        }
        syncedEnd = end;
    }

    /** Starts a new segment that begins with {@code snapshot} and has room for {@code roomBytes} more; then deletes the old one. */
    void roll(List<byte[]> snapshot, int roomBytes) {
        requireWorking();
        try {
            Path old = segment(number);
            channel.close();
            create(number + 1, snapshot, roomBytes);
            Files.delete(old);
            syncDirectory();
        } catch (IOException e) {
            throw fail("starting segment " + (number + 1), e);
        }
    }

    @Override
    public void close() {
        try (FileChannel lock = lockFile;
                FileChannel segment = channel) {
            if (failure == null && segment.isOpen()) {
                sync();
            }
        } catch (IOException e) {
            throw fail("close", e);
        }
    }

    /** Lets go of the directory without writing anything more. */
    void abandon() {
        try (FileChannel lock = lockFile;
                FileChannel segment = channel) {
            channel = null;
        } catch (IOException e) {
            throw fail("close", e);
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        FileChannel file =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = file.tryLock();
            if (lock != null) {
                return file;
            }
        } catch (OverlappingFileLockException e) {
            file.close();
            throw new IOException(directory + " is in use by this process", e);
        }
        file.close();
        throw new IOException(directory + " is in use by another process");
    }

    private void recover() throws IOException {
        Files.deleteIfExists(directory.resolve(TEMPORARY));
        TreeMap<Long, Path> segments = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                segments.put(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())), file);
            }
        }
        if (segments.isEmpty()) {
            recovered = List.of();
            create(1, List.of(), 0);
            return;
        }
        number = segments.lastKey();
        channel = FileChannel.open(
                segments.pollLastEntry().getValue(), StandardOpenOption.READ, StandardOpenOption.WRITE);
        SegmentScan scan = SegmentScan.of(readFully(channel), number);
        recovered = scan.contents();
        end = scan.end();
        capacity = Math.max(segmentLength, end);
        // Cutting and extending leaves zeros behind the last whole record.
        channel.truncate(end);
        extend(channel, capacity);
        if (isDiskDurable) {
            channel.force(true);
        }
        syncedEnd = end;
        for (Path superseded : segments.values()) {
            Files.delete(superseded);
        }
        syncDirectory();
    }

    private void create(long newNumber, List<byte[]> snapshot, int roomBytes) throws IOException {
        long snapshotEnd = Segment.HEADER_LENGTH;
        for (byte[] content : snapshot) {
            snapshotEnd += Segment.recordLength(content.length);
        }
        long length = Math.max(segmentLength, 2 * snapshotEnd + Segment.recordLength(roomBytes));
        Path temporary = directory.resolve(TEMPORARY);
        FileChannel file = FileChannel.open(
                temporary,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        ByteBuffer header = ByteBuffer.allocate(Segment.HEADER_LENGTH);
        Segment.writeHeader(header, newNumber, snapshotEnd);
        writeFully(file, header, 0);
        long offset = Segment.HEADER_LENGTH;
        for (byte[] content : snapshot) {
            ByteBuffer record = Segment.record(newNumber, offset, offset, content);
            writeFully(file, record, offset);
            offset += record.capacity();
        }
        extend(file, length);
        if (isDiskDurable) {
            file.force(true);
        }
        Files.move(temporary, segment(newNumber), StandardCopyOption.ATOMIC_MOVE);
        syncDirectory();
        channel = file;
        number = newNumber;
        capacity = length;
        end = snapshotEnd;
        syncedEnd = snapshotEnd;
    }

    private Path segment(long segmentNumber) {
        return directory.resolve(String.format("%016d%s", segmentNumber, SUFFIX));
    }

    private void syncDirectory() throws IOException {
        if (isDiskDurable) {
            try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
                entries.force(true);
            }
        }
    }

    private static void extend(FileChannel file, long length) throws IOException {
        if (file.size() < length) {
            writeFully(file, ByteBuffer.allocate(1), length - 1);
        }
    }

    private static ByteBuffer readFully(FileChannel file) throws IOException {
        long size = file.size();
        if (size > Integer.MAX_VALUE) {
            throw new IOException("segment of " + size + " bytes");
        }
        ByteBuffer content = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
        while (content.hasRemaining() && file.read(content, content.position()) >= 0) {
            Thread.onSpinWait();
        }
        return content.flip().order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void writeFully(FileChannel file, ByteBuffer bytes, long offset) throws IOException {
        long at = offset;
        while (bytes.hasRemaining()) {
            at += file.write(bytes, at);
        }
    }

    private ReplicaLogFailedException fail(String what, IOException cause) {
        failure = new ReplicaLogFailedException(what, cause);
        return failure;
    }

    private void requireWorking() {
        if (failure != null) {
            throw failure;
        }
    }
}
