package io.sealbook.matching;

import io.sealbook.vocabulary.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Little-endian bytes from a stream, hashed as they come. Reads not a byte further than asked; never closes the stream.
 */
final class SnapshotInput {
    private static final int RECORD_LENGTH_MAX = 72;

    private final InputStream stream;
    private final Sha256 sha256 = new Sha256();
    private final byte[] record = new byte[RECORD_LENGTH_MAX];
    private final ByteBuffer view = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);

    /** Reads from {@code stream}, which should be buffered. */
    SnapshotInput(InputStream stream) {
        this.stream = stream;
    }

    int getInt() throws IOException {
        return next(Integer.BYTES).getInt();
    }

    long getLong() throws IOException {
        return next(Long.BYTES).getLong();
    }

    /**
     * Reads a record at once, which costs far less than field by field.
     *
     * @param length at most 72 bytes
     * @return its bytes from position 0 on, valid until the next call of any method
     */
    ByteBuffer next(int length) throws IOException {
        fill(record, length);
        return view.clear();
    }

    byte[] getBytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        fill(bytes, length);
        return bytes;
    }

    /** Reads the trailing digest and compares it with what was read. */
    void finish() throws IOException {
        byte[] computed = sha256.digestBytes();
        byte[] stored = getBytes(computed.length);
        if (!Arrays.equals(stored, computed)) {
            throw new SnapshotException("its SHA-256 differs from the stored one: damaged");
        }
    }

    private void fill(byte[] bytes, int length) throws IOException {
        if (stream.readNBytes(bytes, 0, length) != length) {
            throw new SnapshotException("ends early");
        }
        sha256.update(bytes, 0, length);
    }
}
