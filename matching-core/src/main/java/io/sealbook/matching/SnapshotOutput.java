package io.sealbook.matching;

import io.sealbook.vocabulary.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian bytes on their way to a stream, hashed as they go. Buffers by itself; never closes the stream. */
final class SnapshotOutput {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final OutputStream stream;
    private final Sha256 sha256 = new Sha256();
    private final byte[] buffer = new byte[1 << 16];
    private int position;

    SnapshotOutput(OutputStream stream) {
        this.stream = stream;
    }

    void putInt(int value) throws IOException {
        reserve(Integer.BYTES);
        INT.set(buffer, position, value);
        position += Integer.BYTES;
    }

    void putLong(long value) throws IOException {
        reserve(Long.BYTES);
        LONG.set(buffer, position, value);
        position += Long.BYTES;
    }

    /** Puts at most a few dozen bytes. */
    void putBytes(byte[] bytes) throws IOException {
        reserve(bytes.length);
        System.arraycopy(bytes, 0, buffer, position, bytes.length);
        position += bytes.length;
    }

    /** Writes out what is buffered and returns SHA-256 over everything put. */
    byte[] finish() throws IOException {
        flush();
        return sha256.digestBytes();
    }

    private void reserve(int length) throws IOException {
        if (position + length > buffer.length) {
            flush();
        }
    }

    private void flush() throws IOException {
        sha256.update(buffer, 0, position);
        stream.write(buffer, 0, position);
        position = 0;
    }
}
