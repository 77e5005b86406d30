package io.sealbook.node.payloadlog;

import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StorageException;
import io.sealbook.archive.storage.StoredFile;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payloadlog.PayloadSegment.Entry;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of admitted batches, so that a replica acknowledges and votes for nothing that it would lose with its
 * process. A batch is with the operating system (durability PROCESS) or on the disk (DISK) when the {@link #flush}
 * after its {@link #append} returns; agreement hears of it only then.
 *
 * <p>Batches are appended to segment files. A segment is reused or deleted when no batch in it is live any more: each
 * is in the archive, or was dropped. When the files take more than twice what is live, the live batches of the oldest
 * segment are appended again, so that one old batch keeps no file for long.
 *
 * <p>{@link #retire} and {@link #length} are for any thread: they take a lock that is never held over input or output.
 * All else belongs to one thread. An exception from a method that writes is fatal: the node stops voting and ends.
 */
public final class PayloadLog implements AutoCloseable {
    /** Length of a segment file; its blocks on the disk are taken as they are written. */
    public static final int SEGMENT_LENGTH = 16 << 20;
    /** Bytes of batches that one write hands to the operating system, at most. */
    private static final int STAGING_LENGTH = 1 << 20;
    /** Segments that are allowed whatever is live: the one that is written, and those whose last batches are due. */
    private static final int SEGMENTS_MIN = 4;

    private final PayloadSegmentFiles files;
    private final Durability durability;
    private final PayloadSegment layout = new PayloadSegment();
    private final LivePayloads live;
    private final List<String> damage;
    private ByteBuffer staging = ByteBuffer.allocateDirect(STAGING_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private StoredFile file;
    private long capacity;
    private LivePayloads.Segment segment;
    private long nextAdmission;
    /** In the present segment: with the operating system, and on the disk. */
    private long writtenEnd;

    private long syncedEnd;
    private StorageException failure;

    private PayloadLog(PayloadSegmentFiles files, Durability durability, LivePayloads live, List<String> damage) {
        this.files = files;
        this.durability = durability;
        this.live = live;
        this.damage = damage;
        this.nextAdmission = live.highestAdmission() + 1;
    }

    /**
     * Opens the log of a directory, or begins one.
     *
     * @param storage becomes this log's; no other part uses its files
     * @param durability what a flushed batch survives
     * @throws StorageFailureException if files cannot be read or written
     */
    public static PayloadLog open(Storage storage, Durability durability) {
        return open(storage, durability, SEGMENT_LENGTH);
    }

    /**
     * Opens the log of a directory with segments of another length.
     *
     * @param storage becomes this log's; no other part uses its files
     * @param durability what a flushed batch survives
     * @param segmentLength of a new segment file, in bytes; a larger one is made for a batch that needs it
     */
    public static PayloadLog open(Storage storage, Durability durability, int segmentLength) {
        PayloadSegmentFiles files = new PayloadSegmentFiles(storage, durability, segmentLength);
        try {
            LivePayloads live = new LivePayloads();
            List<String> damage = new ArrayList<>();
            long last = 0;
            for (long number : files.numbers()) {
                PayloadScan scan = PayloadScan.of(files.read(number), number);
                live.addSegment(number, scan.entries());
                damage.addAll(scan.damage());
                last = number;
            }
            PayloadLog log = new PayloadLog(files, durability, live, List.copyOf(damage));
            log.begin(last + 1, 0);
            return log;
        } catch (StorageException e) {
            storage.close();
            throw new StorageFailureException("payload log", e);
        }
    }

    /** Returns the batches that are live, in the order of their admission, as if they had come before the start. */
    public List<Payload> payloads() {
        return live.payloads();
    }

    /** Returns what was durable and did not read back when the log was opened, one fact each. */
    public List<String> damage() {
        return damage;
    }

    /** Appends a batch; it is durable after the next {@link #flush}. */
    public void append(Payload payload) {
        attempt(() -> {
            Entry entry = new Entry(
                    nextAdmission++,
                    payload.origin(),
                    payload.arrivalTimeNs(),
                    payload.batchId(),
                    payload.signedBatch());
            if (!hasRoom(entry)) {
                roll(entry.recordLength());
                compact(entry.recordLength());
            }
            stage(entry);
            live.add(entry, segment);
        });
    }

    /** Makes all that was appended durable in the class the log was opened with. */
    public void flush() {
        attempt(this::writeAndSync);
    }

    /**
     * Forgets a batch: the archive holds it, or no member will request it. Does nothing if it is not here. Any thread.
     */
    public void retire(Digest batchId) {
        live.remove(batchId);
    }

    /**
     * Frees the segments of earlier runs that hold no batch any more: a node that is restarted often would find one
     * more each time.
     */
    public void releaseDead() {
        attempt(() -> live.takeDead(segment).forEach(files::retire));
    }

    /** Returns the bytes of all segment files. Any thread. */
    public long length() {
        return live.segmentCount() * files.segmentLength();
    }

    /** Returns how many batches are live. Any thread. */
    public int count() {
        return live.count();
    }

    /**
     * Makes durable what was appended and closes the files. What was retired is not read at the next start, unless more
     * is live than one segment holds: a batch that agreement dropped does not come back.
     */
    @Override
    public void close() {
        try (PayloadSegmentFiles closed = files) {
            finish();
        } catch (StorageException e) {
            throw new StorageFailureException("payload log", e);
        }
    }

    private void finish() {
        try {
            if (failure == null) {
                writeAndSync();
                forgetRetired();
            }
        } finally {
            file.close();
        }
    }

    private void forgetRetired() {
        if (!live.hasRetired() || live.length() > files.segmentLength()) {
            return;
        }
        long last = segment.number();
        try {
            roll(0);
            while (live.oldestNumber() <= last) {
                moveOldest();
            }
        } catch (StorageException e) {
            // All that was appended is durable already: the next start reads the old segments, too.
            failure = e;
        }
    }

    private long end() {
        return writtenEnd + staging.position();
    }

    private boolean hasRoom(Entry entry) {
        return end() + entry.recordLength() <= capacity;
    }

    /** Puts a record after the others; there must be room for it. */
    private void stage(Entry entry) {
        int length = entry.recordLength();
        if (staging.remaining() < length) {
            write();
        }
        if (staging.capacity() < length) {
            staging = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        }
        layout.put(staging, segment.number(), end(), durability.isDisk() ? syncedEnd : writtenEnd, entry);
    }

    private void write() {
        if (staging.position() > 0) {
            staging.flip();
            int length = staging.limit();
            file.write(staging, writtenEnd);
            staging.clear();
            writtenEnd += length;
        }
    }

    private void writeAndSync() {
        write();
        if (durability.isDisk() && syncedEnd < writtenEnd) {
            file.sync(false);
            syncedEnd = writtenEnd;
        }
    }

    /** Seals the present segment and begins the next one, which has room for a record of this length. */
    private void roll(int recordLength) {
        writeAndSync();
        file.close();
        begin(segment.number() + 1, recordLength);
    }

    private void begin(long number, int recordLength) {
        live.takeDead(segment).forEach(files::retire);
        file = files.begin(number, recordLength);
        capacity = file.length();
        segment = live.beginSegment(number);
        writtenEnd = PayloadSegment.HEADER_LENGTH;
        syncedEnd = PayloadSegment.HEADER_LENGTH;
    }

    /**
     * Appends the live batches of the oldest segments again while the files take more than twice what is live.
     *
     * @param recordLength of a record for which there must be room afterwards
     */
    private void compact(int recordLength) {
        long allowed = SEGMENTS_MIN + 2 * (live.length() / files.segmentLength() + 1);
        for (long excess = live.segmentCount() - allowed; excess > 0; excess--) {
            moveOldest();
        }
        if (end() + recordLength > capacity) {
            roll(recordLength);
        }
    }

    /** Appends the live batches of the oldest segment again, and frees the segments without live batches. */
    private void moveOldest() {
        for (Entry entry : live.oldestSegment()) {
            if (!hasRoom(entry)) {
                roll(entry.recordLength());
            }
            stage(entry);
            live.move(entry, segment);
        }
        // The copies must be durable before the first of the originals goes.
        writeAndSync();
        live.takeDead(segment).forEach(files::retire);
    }

    private void attempt(Runnable work) {
        if (failure != null) {
            throw new StorageFailureException("payload log", failure);
        }
        try {
            work.run();
        } catch (StorageException e) {
            failure = e;
            throw new StorageFailureException("payload log", e);
        }
    }
}
