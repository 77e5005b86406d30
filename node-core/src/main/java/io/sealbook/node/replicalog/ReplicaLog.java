package io.sealbook.node.replicalog;

import io.sealbook.archive.storage.Storage;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.peer.message.MalformedMessageException;
import io.sealbook.peer.message.PeerMessageCodec;
import io.sealbook.vocabulary.Durability;
import java.util.ArrayList;
import java.util.List;

/**
 * What the replica of one node must not forget. A record is with the kernel when {@link #append} returns (durability
 * PROCESS) and on the disk when the next {@link #sync} returns (durability DISK); the shell lets a vote leave only
 * after that.
 *
 * <p>Every exception from a method that writes is fatal: the node stops voting and ends. One thread.
 */
public final class ReplicaLog implements AutoCloseable {
    /** Length a segment file gets when it is created; its blocks are taken as they are written. */
    public static final int SEGMENT_LENGTH = 64 << 20;

    private final RecordLog log;
    private List<ReplicaRecord> live;
    private long stableSequence;

    private ReplicaLog(RecordLog log) {
        this.log = log;
        this.live = new ArrayList<>();
        List<byte[]> contents = log.takeRecovered();
        for (int i = 0; i < contents.size(); i++) {
            // An earlier build has cut nothing while checkpoints stood still: decoded as a whole it may fill the heap.
            ReplicaRecord record = decode(contents.set(i, null), i);
            live.add(record);
            if (record instanceof ReplicaRecord.Stable stable) {
                stableSequence = Math.max(stableSequence, stable.certificate().sequence());
            }
            if (record instanceof ReplicaRecord.Stable || supersedes(record)) {
                live = RecordRetention.above(live, stableSequence);
            }
        }
    }

    private static ReplicaRecord decode(byte[] content, long at) {
        try {
            return PeerMessageCodec.decodeRecord(content);
        } catch (MalformedMessageException e) {
            throw new ReplicaLogDamageException("record " + at + " has a right checksum but: " + e.getMessage(), at);
        }
    }

    /**
     * Opens the log of a directory, or begins one.
     *
     * @param storage becomes the log's and is closed with it
     * @param durability what a record survives once {@link #sync} has returned
     * @throws ReplicaLogDamageException if something that was durable does not read back
     * @throws ReplicaLogFailedException if files cannot be read or written
     */
    public static ReplicaLog open(Storage storage, Durability durability) {
        return open(storage, durability, SEGMENT_LENGTH);
    }

    /**
     * Opens a log whose segments have another length than {@link #SEGMENT_LENGTH}; see {@link #open(Storage,
     * Durability)}.
     *
     * @param storage becomes the log's
     * @param durability what a record survives
     * @param segmentLength bytes a segment is created with; a larger one is made when what is kept asks for it
     */
    public static ReplicaLog open(Storage storage, Durability durability, int segmentLength) {
        RecordLog log = new RecordLog(storage, durability, segmentLength);
        try {
            return new ReplicaLog(log);
        } catch (ReplicaLogDamageException e) {
            log.abandon();
            throw e;
        }
    }

    /** Returns every record that still matters, in the order appended: what {@code Replica.restore} requires. */
    public List<ReplicaRecord> records() {
        return List.copyOf(live);
    }

    /** Returns the epoch that was begun last, 0 if none was. */
    public int epoch() {
        return RecordRetention.epochOf(live);
    }

    public void append(ReplicaRecord record) {
        byte[] content = PeerMessageCodec.encode(record);
        if (!log.hasRoom(content.length)) {
            log.roll(encoded(live), content.length);
        }
        log.append(content);
        live.add(record);
        if (supersedes(record)) {
            live = RecordRetention.above(live, stableSequence);
        }
    }

    /** Returns whether a record makes earlier ones needless without a checkpoint, which may stand still for long. */
    private static boolean supersedes(ReplicaRecord record) {
        return record instanceof ReplicaRecord.ViewEntered
                || record instanceof ReplicaRecord.ViewLeft
                || record instanceof ReplicaRecord.EpochBegan;
    }

    /** Makes all that was appended durable in the class the log was opened with. */
    public void sync() {
        log.sync();
    }

    /** Makes all that was appended survive a power failure, whatever the class that the log was opened with. */
    public void syncToDisk() {
        log.syncToDisk();
    }

    /**
     * Forgets what a stable certificate makes needless; its bytes go when the segment is full and the next one begins
     * with what is left. The certificate itself must have been appended.
     *
     * @param newStableSequence of that certificate; a lower one than before changes nothing
     */
    public void truncateBelow(long newStableSequence) {
        if (newStableSequence <= stableSequence) {
            return;
        }
        stableSequence = newStableSequence;
        live = RecordRetention.above(live, newStableSequence);
    }

    /** Returns bytes written to the present segment. */
    long end() {
        return log.end();
    }

    @Override
    public void close() {
        log.close();
    }

    private static List<byte[]> encoded(List<ReplicaRecord> records) {
        return records.stream().map(PeerMessageCodec::encode).toList();
    }
}
