package io.sealbook.simulator;

import io.sealbook.archive.storage.ForwardingFile;
import io.sealbook.archive.storage.ForwardingStorage;
import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StoredFile;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.peer.message.MalformedMessageException;
import io.sealbook.peer.message.PeerMessageCodec;
import io.sealbook.vocabulary.Durability;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The replica log's files, watched: the checker hears of each record when it is durable in the node's class, from the
 * bytes themselves.
 */
class WatchedStorage extends ForwardingStorage {
    /** Of a record in a segment: length, checksum and confirmed offset, then the content. */
    private static final int RECORD_HEADER_LENGTH = 16;

    private final Durability durability;
    private final Consumer<ReplicaRecord> durable;
    private final List<WatchedFile> unnamed = new ArrayList<>();

    WatchedStorage(Storage storage, Durability durability, Consumer<ReplicaRecord> durable) {
        super(storage);
        this.durability = durability;
        this.durable = durable;
    }

    /** Returns whether a record is written; a test plants a shell here that writes none of a kind. */
    boolean writes(ReplicaRecord record) {
        return true;
    }

    /** Returns whether files are synced; a test plants a shell here that does not wait for its disk. */
    boolean syncs() {
        return true;
    }

    @Override
    protected StoredFile forward(StoredFile file) {
        return new WatchedFile(file);
    }

    /** A new file is there after a loss of power once its name is durable; before that, its records are not. */
    @Override
    public StoredFile create(String name) {
        WatchedFile created = (WatchedFile) super.create(name);
        created.isNameDurable = false;
        unnamed.add(created);
        return created;
    }

    @Override
    public void syncNames() {
        super.syncNames();
        unnamed.forEach(WatchedFile::onNameDurable);
        unnamed.clear();
    }

    private final class WatchedFile extends ForwardingFile {
        private final List<ReplicaRecord> unsynced = new ArrayList<>();
        /** Synced, in a file whose name is not durable. */
        private final List<ReplicaRecord> synced = new ArrayList<>();

        private boolean isNameDurable = true;

        private WatchedFile(StoredFile file) {
            super(file);
        }

        @Override
        public void write(ByteBuffer from, long offset) {
            ReplicaRecord record = record(from.duplicate());
            if (record != null && !writes(record)) {
                return;
            }
            super.write(from, offset);
            if (record != null && durability == Durability.PROCESS) {
                durable.accept(record);
            } else if (record != null) {
                unsynced.add(record);
            }
        }

        private ReplicaRecord record(ByteBuffer from) {
            from.order(ByteOrder.LITTLE_ENDIAN);
            if (from.remaining() <= RECORD_HEADER_LENGTH) {
                return null;
            }
            int length = from.getInt(from.position());
            if (length <= 0 || length > from.remaining() - RECORD_HEADER_LENGTH) {
                return null;
            }
            byte[] content = new byte[length];
            from.get(from.position() + RECORD_HEADER_LENGTH, content);
            try {
                return PeerMessageCodec.decodeRecord(content);
            } catch (MalformedMessageException e) {
                throw new SimulationFailure("a record that was written cannot be read: " + e.getMessage(), e);
            }
        }

        @Override
        public void sync(boolean isLengthChanged) {
            if (!syncs()) {
                return;
            }
            super.sync(isLengthChanged);
            synced.addAll(unsynced);
            unsynced.clear();
            tellDurable();
        }

        private void onNameDurable() {
            isNameDurable = true;
            tellDurable();
        }

        private void tellDurable() {
            if (isNameDurable) {
                synced.forEach(durable);
                synced.clear();
            }
        }
    }
}
