package io.sealbook.node.replicalog;

import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StoredFile;
import io.sealbook.vocabulary.Durability;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Whether this replica has ever recorded a vote. The mark is a file in a directory apart from the replica log, so that
 * it outlives the log's loss: a set mark beside a log without records means that votes are forgotten. It is never
 * removed. One thread.
 */
public final class VoteMark implements AutoCloseable {
    /** Name of the file; the mark is set if it exists. */
    public static final String FILE = "voted";

    private static final String CONTENT = "This replica has voted. Its votes are in replica-log/.\n";

    private final Storage storage;
    private final Durability durability;
    private boolean isSet;

    private VoteMark(Storage storage, Durability durability) {
        this.storage = storage;
        this.durability = durability;
        isSet = storage.names().contains(FILE);
    }

    /**
     * Opens the mark of a directory.
     *
     * @param storage becomes the mark's and is closed with it
     * @param durability what the mark survives once {@link #set} has returned
     */
    public static VoteMark open(Storage storage, Durability durability) {
        return new VoteMark(storage, durability);
    }

    /** Returns whether this replica may have voted in this life or an earlier one. */
    public boolean isSet() {
        return isSet;
    }

    /**
     * Sets the mark in the class that it was opened with; does nothing if it is set.
     *
     * @throws io.sealbook.archive.storage.StorageException if it cannot be written; it may or may not be set then
     */
    public void set() {
        if (!isSet) {
            write(durability.isDisk());
        }
    }

    /**
     * Sets the mark, on the disk in every class of durability, also if it was set before.
     *
     * @throws io.sealbook.archive.storage.StorageException if it cannot be written; it may or may not be set then
     */
    public void setOnDisk() {
        write(true);
    }

    private void write(boolean isSynced) {
        try (StoredFile file = storage.create(FILE)) {
            file.write(ByteBuffer.wrap(CONTENT.getBytes(StandardCharsets.US_ASCII)), 0);
            if (isSynced) {
                file.sync(true);
            }
        }
        if (isSynced) {
            storage.syncNames();
        }
        isSet = true;
    }

    @Override
    public void close() {
        storage.close();
    }
}
