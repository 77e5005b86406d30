package io.sealbook.peer.handshake;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The first message of each side; all integers little-endian.
 *
 * <pre>
 *   0   4  "SBHS"                 12  2  node id looked for
 *   4   1  handshake version      14  2  epoch of the sender
 *   5   1  kind                   16  8  chain id
 *   6   2  length of the message  24  8  frame counter of the sender
 *   8   1  role                   32  32 genesis digest
 *   9   1  frame version          64  32 nonce
 *   10  2  node id                96  32 X25519 public key
 * </pre>
 */
record Hello(
        int role,
        int frameVersion,
        int nodeId,
        int toNodeId,
        int epoch,
        long chainId,
        long frameCounter,
        Digest genesisDigest,
        byte[] nonce,
        byte[] publicKey) {
    static final int LENGTH = 128;
    static final int FRAME_VERSION_OFFSET = 9;

    void write(byte[] message, int kind) {
        ByteBuffer buffer = HandshakeMessage.begin(message, kind);
        buffer.put((byte) role)
                .put((byte) frameVersion)
                .putShort((short) nodeId)
                .putShort((short) toNodeId);
        buffer.putShort((short) epoch).putLong(chainId).putLong(frameCounter);
        genesisDigest.write(buffer);
        buffer.put(nonce).put(publicKey);
    }

    static Hello read(byte[] message) {
        ByteBuffer buffer = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        return new Hello(
                buffer.get(8),
                buffer.get(FRAME_VERSION_OFFSET),
                buffer.getShort(10) & 0xFFFF,
                buffer.getShort(12) & 0xFFFF,
                buffer.getShort(14) & 0xFFFF,
                buffer.getLong(16),
                buffer.getLong(24),
                Digest.of(message, 32),
                bytes(buffer, 64),
                bytes(buffer, 96));
    }

    private static byte[] bytes(ByteBuffer buffer, int offset) {
        byte[] bytes = new byte[32];
        buffer.get(offset, bytes);
        return bytes;
    }
}
