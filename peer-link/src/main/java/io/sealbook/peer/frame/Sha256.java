package io.sealbook.peer.frame;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A reusable SHA-256. One thread. */
final class Sha256 {
    private final MessageDigest digest;

    Sha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Writes the digest of a range into the first 32 bytes of {@code result}. */
    void digest(ByteBuf bytes, int offset, int length, byte[] result) {
        if (bytes.nioBufferCount() == 1) {
            digest.update(bytes.nioBuffer(offset, length));
        } else {
            for (ByteBuffer part : bytes.nioBuffers(offset, length)) {
                digest.update(part);
            }
        }
        finish(result);
    }

    void digest(byte[] bytes, int offset, int length, byte[] result) {
        digest.update(bytes, offset, length);
        finish(result);
    }

    private void finish(byte[] result) {
        try {
            digest.digest(result, 0, Frame.DIGEST_LENGTH);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 is longer than 32 bytes", e);
        }
    }
}
