package io.sealbook.client.outbox;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** Does what another channel does; tests change some of it. */
class SameChannel extends FileChannel {
    private final FileChannel channel;

    SameChannel(FileChannel channel) {
        this.channel = channel;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return channel.read(into, offset, length);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        return channel.read(into, position);
    }

    @Override
    public int write(ByteBuffer part) throws IOException {
        return channel.write(part);
    }

    @Override
    public long write(ByteBuffer[] parts, int offset, int length) throws IOException {
        return channel.write(parts, offset, length);
    }

    @Override
    public int write(ByteBuffer part, long position) throws IOException {
        return channel.write(part, position);
    }

    @Override
    public long position() throws IOException {
        return channel.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        channel.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        channel.truncate(size);
        return this;
    }

    @Override
    public void force(boolean withMetadata) throws IOException {
        channel.force(withMetadata);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return channel.transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        return channel.transferFrom(source, position, count);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        return channel.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean isShared) throws IOException {
        return channel.lock(position, size, isShared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean isShared) throws IOException {
        return channel.tryLock(position, size, isShared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        channel.close();
    }
}
