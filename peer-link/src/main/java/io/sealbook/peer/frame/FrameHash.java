package io.sealbook.peer.frame;

import io.netty.buffer.ByteBuf;
import io.sealbook.vocabulary.Sha256;
import java.nio.ByteBuffer;

/** A reusable SHA-256 over parts of frames. One thread. */
final class FrameHash {
    private final Sha256 sha256 = new Sha256();

    /** Writes the digest of a range into the first 32 bytes of {@code result}. */
    void digest(ByteBuf bytes, int offset, int length, byte[] result) {
        if (bytes.nioBufferCount() == 1) {
            sha256.update(bytes.nioBuffer(offset, length));
        } else {
            for (ByteBuffer part : bytes.nioBuffers(offset, length)) {
                sha256.update(part);
            }
        }
        sha256.digest(result, 0);
    }

    /** Writes the digest of a range into the first 32 bytes of {@code result}. */
    void digest(byte[] bytes, int offset, int length, byte[] result) {
        sha256.update(bytes, offset, length).digest(result, 0);
    }
}
