package io.sealbook.node.replicalog;

import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StorageException;
import io.sealbook.archive.storage.StoredFile;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Durability;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;

/**
 * Byte strings appended to the newest segment file of a directory, and the rewriting of that file when it is full.
 *
 * <p>Files are extended to their full length when created, without their blocks, so that an append changes no metadata.
 * One thread.
 */
final class RecordLog implements AutoCloseable {
    static final String SUFFIX = ".segment";
    static final String TEMPORARY = "next.tmp";

    private final Storage storage;
    private final Durability durability;
    private final int segmentLength;
    private List<byte[]> recovered;
    private StoredFile file;
    private long number;
    private long capacity;
    private long end;
    private long syncedEnd;
    private ReplicaLogFailedException failure;

    /**
     * @param storage becomes this log's; no other part uses its files
     * @param durability what bytes survive when {@link #sync} has returned
     * @param segmentLength bytes a segment file is created with; a larger one is made when the snapshot asks for it
     */
    RecordLog(Storage storage, Durability durability, int segmentLength) {
        this.storage = storage;
        this.durability = durability;
        this.segmentLength = segmentLength;
        boolean isRecovered = false;
        try {
            recover();
            isRecovered = true;
        } catch (StorageException e) {
            throw fail("reading", e);
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
            throw new BrokenInvariantException("replica log: segment " + number + " has no room at " + end);
        }
        ByteBuffer record = Segment.record(number, end, durability.isDisk() ? syncedEnd : end, content);
        try {
            file.write(record, end);
        } catch (StorageException e) {
            throw fail("append to segment " + number, e);
        }
        end += record.capacity();
    }

    /** Makes everything appended durable in the class the log was opened with. */
    void sync() {
        requireWorking();
        if (!durability.isDisk() || syncedEnd == end) {
            return;
        }
        try {
            file.sync(false);
        } catch (StorageException e) {
            throw fail("fsync of segment " + number, e);
        }
        syncedEnd = end;
    }

    /** Makes everything appended, and the name of its file, survive a power failure in every class of durability. */
    void syncToDisk() {
        requireWorking();
        try {
            file.sync(true);
            storage.syncNames();
        } catch (StorageException e) {
            throw fail("fsync of segment " + number, e);
        }
        syncedEnd = end;
    }

    /**
     * Starts a new segment that begins with {@code snapshot} and has room for {@code roomBytes} more; then deletes the
     * old one.
     */
    void roll(List<byte[]> snapshot, int roomBytes) {
        requireWorking();
        try {
            String old = segment(number);
            file.close();
            create(number + 1, snapshot, roomBytes);
            storage.delete(old);
            syncNames();
        } catch (StorageException e) {
            throw fail("starting segment " + (number + 1), e);
        }
    }

    @Override
    public void close() {
        try (Storage closed = storage;
                StoredFile segment = file) {
            if (failure == null && segment.isOpen()) {
                sync();
            }
        } catch (StorageException e) {
            throw fail("close", e);
        }
    }

    /** Releases the files without writing anything more. */
    void abandon() {
        try (Storage closed = storage;
                StoredFile segment = file) {
            file = null;
        } catch (StorageException e) {
            throw fail("close", e);
        }
    }

    private void recover() {
        storage.delete(TEMPORARY);
        List<String> segments =
                storage.names().stream().filter(name -> name.endsWith(SUFFIX)).toList();
        if (segments.isEmpty()) {
            recovered = List.of();
            create(1, List.of(), 0);
            return;
        }
        String newest = segments.getLast();
        number = Long.parseLong(newest.substring(0, newest.length() - SUFFIX.length()));
        file = storage.open(newest);
        RecordScan scan = RecordScan.of(readFully(), number);
        recovered = scan.contents();
        end = scan.end();
        capacity = Math.max(segmentLength, end);
        // Cutting and extending leaves zeros after the last whole record.
        file.truncate(end);
        extend(file, capacity);
        if (durability.isDisk()) {
            file.sync(true);
        }
        syncedEnd = end;
        segments.subList(0, segments.size() - 1).forEach(storage::delete);
        syncNames();
    }

    private void create(long newNumber, List<byte[]> snapshot, int roomBytes) {
        long snapshotEnd = Segment.HEADER_LENGTH;
        for (byte[] content : snapshot) {
            snapshotEnd += Segment.recordLength(content.length);
        }
        long length = Math.max(segmentLength, 2 * snapshotEnd + Segment.recordLength(roomBytes));
        StoredFile created = storage.create(TEMPORARY);
        file = created;
        ByteBuffer header = ByteBuffer.allocate(Segment.HEADER_LENGTH);
        Segment.writeHeader(header, newNumber, snapshotEnd);
        created.write(header, 0);
        long offset = Segment.HEADER_LENGTH;
        for (byte[] content : snapshot) {
            ByteBuffer record = Segment.record(newNumber, offset, offset, content);
            created.write(record, offset);
            offset += record.capacity();
        }
        extend(created, length);
        if (durability.isDisk()) {
            created.sync(true);
        }
        storage.rename(TEMPORARY, segment(newNumber));
        syncNames();
        number = newNumber;
        capacity = length;
        end = snapshotEnd;
        syncedEnd = snapshotEnd;
    }

    private static String segment(long segmentNumber) {
        return String.format(Locale.ROOT, "%016d%s", segmentNumber, SUFFIX);
    }

    private void syncNames() {
        if (durability.isDisk()) {
            storage.syncNames();
        }
    }

    private static void extend(StoredFile file, long length) {
        if (file.length() < length) {
            file.write(ByteBuffer.allocate(1), length - 1);
        }
    }

    private ByteBuffer readFully() {
        long length = file.length();
        if (length > Integer.MAX_VALUE) {
            throw new StorageException("segment " + number + " has " + length + " bytes", null);
        }
        ByteBuffer content = ByteBuffer.allocate((int) length);
        file.read(content, 0);
        return content.flip().order(ByteOrder.LITTLE_ENDIAN);
    }

    private ReplicaLogFailedException fail(String what, StorageException cause) {
        failure = new ReplicaLogFailedException(what, cause);
        return failure;
    }

    private void requireWorking() {
        if (failure != null) {
            throw failure;
        }
    }
}
