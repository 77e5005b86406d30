package io.sealbook.archive.storage;

import java.nio.ByteBuffer;

/** An open file of a {@link Storage}. Every method fails with a {@link StorageException}. One thread at a time. */
public interface StoredFile extends AutoCloseable {
    /** Returns the length in bytes. */
    long length();

    /**
     * Reads bytes at an offset until the buffer is full or the file ends.
     *
     * @param into filled from its position; its remaining bytes are those that the file lacked
     * @param offset in bytes, not negative
     */
    void read(ByteBuffer into, long offset);

    /**
     * Writes all bytes of a buffer; the file grows when they reach beyond its end, with zeros in between.
     *
     * @param from its remaining bytes are written
     * @param offset in bytes, not negative
     */
    void write(ByteBuffer from, long offset);

    /** Cuts the file to this many bytes; does nothing if it is not longer. */
    void truncate(long length);

    /**
     * Makes what was written durable. After a failure nothing is known about it any more.
     *
     * @param isLengthChanged whether the file's length must be durable too, which costs more
     */
    void sync(boolean isLengthChanged);

    boolean isOpen();

    /** Closes the file; does nothing if it is closed. */
    @Override
    void close();
}
