package io.sealbook.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * Real files on a disk with a given room: a write beyond it is carried out in part and then fails, as the operating
 * system does it. Forcing can be made to wait or to fail.
 */
final class LimitedDisk implements OpenSegment.ChannelOpener {
    long roomBytes = Long.MAX_VALUE;
    boolean isTruncateBroken;
    volatile CountDownLatch forceGate = new CountDownLatch(0);
    volatile boolean isForceBroken;

    @Override
    public FileChannel open(Path file) throws IOException {
        return new Channel(OpenSegment.READ_WRITE.open(file));
    }

    private final class Channel extends FileChannel {
        private final FileChannel real;

        private Channel(FileChannel real) {
            this.real = real;
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            if (roomBytes == 0) {
                throw new IOException("No space left on device");
            }
            int length = (int) Math.min(source.remaining(), roomBytes);
            int written = real.write(source.slice(source.position(), length), position);
            source.position(source.position() + written);
            roomBytes -= written;
            return written;
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            if (isTruncateBroken) {
                throw new IOException("Input/output error");
            }
            real.truncate(size);
            return this;
        }

        @Override
        public int read(ByteBuffer destination, long position) throws IOException {
            return real.read(destination, position);
        }

        @Override
        public long size() throws IOException {
            return real.size();
        }

        @Override
        public void force(boolean metaData) throws IOException {
            try {
                forceGate.await();
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
            if (isForceBroken) {
                throw new IOException("Input/output error");
            }
            real.force(metaData);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            real.close();
        }

        @Override
        public int read(ByteBuffer destination) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(ByteBuffer[] destinations, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer source) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(long newPosition) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }
    }
}
