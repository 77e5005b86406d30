package io.sealbook.perf.storage;

import java.io.IOException;

/** Keeps blocks by their number. One thread. */
interface BlockStore extends AutoCloseable {
    /**
     * Adds the next block; with synchronous writes it is on the disk when this returns.
     *
     * @param sequence of the block, one more than the last
     * @param block its bytes, which stay the caller's
     */
    void append(long sequence, byte[] block) throws IOException;

    /**
     * Reads a block.
     *
     * @param sequence of a block that was added
     * @return its bytes
     */
    byte[] read(long sequence) throws IOException;

    @Override
    void close() throws IOException;
}
