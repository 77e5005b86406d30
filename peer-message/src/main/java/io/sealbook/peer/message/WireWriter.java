package io.sealbook.peer.message;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Little-endian fields appended to a growing array. */
final class WireWriter {
    private static final int INITIAL_LENGTH = 256;

    private ByteBuffer buffer = ByteBuffer.allocate(INITIAL_LENGTH).order(ByteOrder.LITTLE_ENDIAN);

    WireWriter putByte(int value) {
        room(Byte.BYTES).put((byte) value);
        return this;
    }

    WireWriter putShort(int value) {
        room(Short.BYTES).putShort((short) value);
        return this;
    }

    WireWriter putInt(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    WireWriter putLong(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    WireWriter putDigest(Digest digest) {
        digest.write(room(Digest.LENGTH));
        return this;
    }

    WireWriter putBytes(byte[] bytes) {
        room(bytes.length).put(bytes);
        return this;
    }

    byte[] bytes() {
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private ByteBuffer room(int length) {
        if (buffer.remaining() < length) {
            int capacity = Math.max(2 * buffer.capacity(), buffer.position() + length);
            buffer =
                    ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(buffer.flip());
        }
        return buffer;
    }
}
