package io.sealbook.archive.storage;

import java.nio.ByteBuffer;

/** A file over another one, for what changes or watches some of its operations. Threads as the other one. */
public abstract class ForwardingFile implements StoredFile {
    private final StoredFile file;

    /** Forwards to a file, which is closed with this one. */
    protected ForwardingFile(StoredFile file) {
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
        file.write(from, offset);
    }

    @Override
    public void truncate(long length) {
        file.truncate(length);
    }

    @Override
    public void sync(boolean isLengthChanged) {
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
