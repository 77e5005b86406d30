package io.sealbook.simulator.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** An open file, or an open directory that can be forced only. */
final class DiskChannel extends FileChannel {
    private final SimulatedDisk disk;
    private final DiskFile file;
    private final String directory;
    private long position;
    private boolean isLocked;

    private DiskChannel(SimulatedDisk disk, DiskFile file, String directory) {
        this.disk = disk;
        this.file = file;
        this.directory = directory;
    }

    static DiskChannel ofFile(SimulatedDisk disk, DiskFile file) {
        return new DiskChannel(disk, file, null);
    }

    static DiskChannel ofDirectory(SimulatedDisk disk, String directory) {
        return new DiskChannel(disk, null, directory);
    }

    private void requireOpen() throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int count = read(into, position);
        position += Math.max(0, count);
        return count;
    }

    @Override
    public int read(ByteBuffer into, long offset) throws IOException {
        requireOpen();
        return file.read(into, offset);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int count = write(from, position);
        position += count;
        return count;
    }

    @Override
    public int write(ByteBuffer from, long offset) throws IOException {
        requireOpen();
        disk.beforeChange();
        int room = disk.room(file, offset, from.remaining());
        int written = file.write(from.slice(from.position(), room), offset);
        from.position(from.position() + written);
        return written;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long newPosition) {
        position = newPosition;
        return this;
    }

    @Override
    public long size() throws IOException {
        requireOpen();
        return file.length();
    }

    @Override
    public FileChannel truncate(long length) throws IOException {
        requireOpen();
        disk.beforeChange();
        file.truncate(length);
        position = Math.min(position, length);
        return this;
    }

    @Override
    public void force(boolean isMetadataToo) throws IOException {
        requireOpen();
        if (directory != null) {
            disk.forceNames(directory);
        } else {
            disk.beforeChange();
            file.force();
        }
    }

    @Override
    public FileLock lock(long from, long length, boolean isShared) throws IOException {
        return tryLock(from, length, isShared);
    }

    @Override
    public FileLock tryLock(long from, long length, boolean isShared) throws IOException {
        requireOpen();
        if (!disk.lock(file)) {
            throw new OverlappingFileLockException();
        }
        isLocked = true;
        return new FileLock(this, from, length, isShared) {
            @Override
            public boolean isValid() {
                return isLocked;
            }

            @Override
            public void release() {
                unlock();
            }
        };
    }

    private void unlock() {
        if (isLocked) {
            isLocked = false;
            disk.unlock(file);
        }
    }

    @Override
    protected void implCloseChannel() {
        unlock();
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        throw new UnsupportedOperationException("scattering read");
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw new UnsupportedOperationException("gathering write");
    }

    @Override
    public long transferTo(long offset, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException("transfer");
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long offset, long count) {
        throw new UnsupportedOperationException("transfer");
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long offset, long size) {
        throw new UnsupportedOperationException("mapping");
    }
}
