package io.sealbook.node.payloadlog;

import io.sealbook.archive.storage.ForwardingFile;
import io.sealbook.archive.storage.ForwardingStorage;
import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StorageException;
import io.sealbook.archive.storage.StoredFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A storage that notes writes and syncs, also of names, and that can be made full. */
public final class RecordingStorage extends ForwardingStorage {
    public final List<String> events = new ArrayList<>();
    public boolean isFull;

    public RecordingStorage(Storage storage) {
        super(storage);
    }

    @Override
    public void syncNames() {
        events.add("sync names");
        super.syncNames();
    }

    @Override
    protected StoredFile forward(StoredFile file) {
        return new ForwardingFile(file) {
            @Override
            public void write(ByteBuffer from, long offset) {
                if (isFull) {
                    throw new StorageException("cannot write at " + offset + ": no space left", null);
                }
                events.add("write");
                super.write(from, offset);
            }

            @Override
            public void sync(boolean isLengthChanged) {
                events.add("sync");
                super.sync(isLengthChanged);
            }
        };
    }
}
