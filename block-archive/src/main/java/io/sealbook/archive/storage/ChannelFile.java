package io.sealbook.archive.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A file of a {@link FileStorage}. */
final class ChannelFile implements StoredFile {
    private final Path file;
    private final FileChannel channel;

    ChannelFile(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    @Override
    public long length() {
        try {
            return channel.size();
        } catch (IOException e) {
            throw new StorageException("cannot read the length of " + file, e);
        }
    }

    @Override
    public void read(ByteBuffer into, long offset) {
        try {
            long at = offset;
            int count = 0;
            while (into.hasRemaining() && count >= 0) {
                count = channel.read(into, at);
                at += count;
            }
        } catch (IOException e) {
            throw new StorageException("cannot read " + file + " at " + offset, e);
        }
    }

    @Override
    public void write(ByteBuffer from, long offset) {
        try {
            long at = offset;
            while (from.hasRemaining()) {
                at += channel.write(from, at);
            }
        } catch (IOException e) {
            throw new StorageException("cannot write " + file + " at " + offset, e);
        }
    }

    @Override
    public void truncate(long length) {
        try {
            channel.truncate(length);
        } catch (IOException e) {
            throw new StorageException("cannot cut " + file + " to " + length, e);
        }
    }

    @Override
    public void sync(boolean isLengthChanged) {
        try {
            channel.force(isLengthChanged);
        } catch (IOException e) {
            throw new StorageException("cannot sync " + file, e);
        }
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new StorageException("cannot close " + file, e);
        }
    }
}
