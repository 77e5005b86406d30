package io.sealbook.matching;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Arrays;

/** Little-endian bytes from a stream, hashed as they come. Reads not a byte further than asked; never closes the stream. */
final class SnapshotInput {
    private final InputStream stream;
    private final MessageDigest sha256 = ResultDigest.newSha256();
    private final byte[] word = new byte[Long.BYTES];
    private final ByteBuffer view = ByteBuffer.wrap(word).order(ByteOrder.LITTLE_ENDIAN);

    /** Reads from {@code stream}, which should be buffered. */
    SnapshotInput(InputStream stream) {
        this.stream = stream;
    }

    int getInt() throws IOException {
        fill(word, Integer.BYTES);
        return view.getInt(0);
    }

    long getLong() throws IOException {
        fill(word, Long.BYTES);
        return view.getLong(0);
    }

    byte[] getBytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        fill(bytes, length);
        return bytes;
    }

    /** Reads the trailing digest and compares it with what was read. */
    void finish() throws IOException {
        byte[] computed = sha256.digest();
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
