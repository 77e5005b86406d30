package io.sealbook.node.payloadlog;

import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StorageException;
import io.sealbook.archive.storage.StoredFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A storage that notes writes and syncs, and that can be made full. */
public final class RecordingStorage implements Storage {
    private final Storage storage;
    public final List<String> events = new ArrayList<>();
    public boolean isFull;

    public RecordingStorage(Storage storage) {
        this.storage = storage;
    }

    @Override
    public List<String> names() {
        return storage.names();
    }

    @Override
    public StoredFile open(String name) {
        return new RecordingFile(storage.open(name));
    }

    @Override
    public StoredFile create(String name) {
        return new RecordingFile(storage.create(name));
    }

    @Override
    public void rename(String from, String to) {
        storage.rename(from, to);
    }

    @Override
    public void delete(String name) {
        storage.delete(name);
    }

    @Override
    public void syncNames() {
        storage.syncNames();
    }

    @Override
    public void close() {
        storage.close();
    }

    private final class RecordingFile implements StoredFile {
        private final StoredFile file;

        RecordingFile(StoredFile file) {
            this.file = file;
        }

        @Override
        public long length() {
            return file.length();
        }

        @Override
        public void read(ByteBuffer into, long offset) {
            file.read(into, offset);
        }

        @Override
        public void write(ByteBuffer from, long offset) {
            if (isFull) {
                throw new StorageException("cannot write at " + offset + ": no space left", null);
            }
            events.add("write");
            file.write(from, offset);
        }

        @Override
        public void truncate(long length) {
            file.truncate(length);
        }

        @Override
        public void sync(boolean isLengthChanged) {
            events.add("sync");
            file.sync(isLengthChanged);
        }

        @Override
        public boolean isOpen() {
            return file.isOpen();
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
