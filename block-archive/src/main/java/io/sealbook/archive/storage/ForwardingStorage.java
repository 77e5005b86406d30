package io.sealbook.archive.storage;

import java.util.List;

/** A storage over another one, for what changes or watches the files of a directory. Threads as the other one. */
public abstract class ForwardingStorage implements Storage {
    private final Storage storage;

    /** Forwards to a storage, which is closed with this one. */
    protected ForwardingStorage(Storage storage) {
        this.storage = storage;
    }

    /** Returns the file that replaces one that was opened or created. */
    protected abstract StoredFile forward(StoredFile file);

    @Override
    public List<String> names() {
        return storage.names();
    }

    @Override
    public StoredFile open(String name) {
        return forward(storage.open(name));
    }

    @Override
    public StoredFile create(String name) {
        return forward(storage.create(name));
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
}
