package io.sealbook.engine.snapshot;

import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * A snapshot that is being written. Its file has a temporary name, and is deleted if the snapshot is given up or cannot
 * be written. One thread.
 */
public final class UnfinishedSnapshot {
    private final SnapshotStore store;
    private final SnapshotHeader header;
    private final Path file;
    private final OutputStream stream;
    private final CheckedOutputStream checked;
    private final CountingOutputStream core;

    private UnfinishedSnapshot(SnapshotStore store, SnapshotHeader header, Path file, OutputStream stream) {
        this.store = store;
        this.header = header;
        this.file = file;
        this.stream = stream;
        this.checked = new CheckedOutputStream(stream, new CRC32C());
        this.core = new CountingOutputStream(checked);
    }

    static UnfinishedSnapshot begin(SnapshotStore store, Digest genesisDigest, SnapshotHeader header, Path file) {
        try {
            UnfinishedSnapshot snapshot = new UnfinishedSnapshot(store, header, file, Files.newOutputStream(file));
            snapshot.checked.write(SnapshotFormat.encode(genesisDigest, header));
            return snapshot;
        } catch (IOException e) {
            throw new UncheckedIOException("snapshot: cannot write " + file, e);
        }
    }

    /** Returns what takes the bytes of the core; pieces of 8 KiB and more are best. */
    public OutputStream core() {
        return core;
    }

    /**
     * Ends the file after the last byte of the core.
     *
     * @return the whole snapshot, which does not count yet
     * @throws UncheckedIOException if the file cannot be written; nothing of it is left then
     */
    public StagedSnapshot finish() {
        try {
            checked.write(
                    SnapshotFormat.littleEndian(Long.BYTES).putLong(core.count).array());
            int crc = (int) checked.getChecksum().getValue();
            stream.write(SnapshotFormat.littleEndian(Integer.BYTES).putInt(crc).array());
            stream.close();
            return new StagedSnapshot(store, header);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Deletes the file; its bytes are of no use any more. */
    public void abandon() {
        try {
            stream.close();
        } catch (IOException e) {
            // What is lost is deleted next.
        }
        SnapshotStore.delete(file);
    }

    /**
     * Deletes the file, which cannot be written.
     *
     * @param cause why not
     * @return what the caller throws
     */
    public UncheckedIOException failure(IOException cause) {
        abandon();
        return new UncheckedIOException("snapshot: cannot write " + file, cause);
    }

    /** Counts what goes through; never closes the stream. */
    private static final class CountingOutputStream extends OutputStream {
        private final OutputStream stream;
        private long count;

        CountingOutputStream(OutputStream stream) {
            this.stream = stream;
        }

        @Override
        public void write(int value) throws IOException {
            stream.write(value);
            count++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            stream.write(bytes, offset, length);
            count += length;
        }
    }
}
