package io.sealbook.peer.handshake;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * What the messages of a handshake have in common: magic, version, kind, length in the first {@link #HEADER_LENGTH}
 * bytes.
 *
 * <pre>
 *   HELLO of the dialer     128                      REJECT  8 header, 1 reason, 7 reserved, 32 own genesis digest
 *   HELLO of the acceptor   128, 65 signature
 *   AUTH                    8 header, 65 signature, 16 confirmation code
 *   CONFIRM                 8 header, 16 confirmation code
 * </pre>
 */
public final class HandshakeMessage {
    public static final int HEADER_LENGTH = 8;
    /** No message of a handshake is longer. */
    public static final int LENGTH_MAX = 256;
    /**
     * Version of the handshake and of the frames that follow it. It is in every message, a rejection too, so each of
     * two nodes that differ learns the other's before anything else is looked at.
     */
    public static final int VERSION = 5;

    static final int VERSION_OFFSET = 4;
    static final int HELLO_DIALER = 1;
    static final int HELLO_ACCEPTOR = 2;
    static final int AUTH = 3;
    static final int CONFIRM = 4;
    static final int REJECT = 5;
    static final int SIGNATURE_LENGTH = 65;
    static final int CODE_LENGTH = 16;
    static final int HELLO_ACCEPTOR_LENGTH = Hello.LENGTH + SIGNATURE_LENGTH;
    static final int AUTH_LENGTH = HEADER_LENGTH + SIGNATURE_LENGTH + CODE_LENGTH;
    static final int CONFIRM_LENGTH = HEADER_LENGTH + CODE_LENGTH;
    static final int REJECT_LENGTH = 48;

    private static final int MAGIC = 0x53484253; // "SBHS" read little-endian
    private static final int LENGTH_OFFSET = 6;

    private HandshakeMessage() {}

    /**
     * Returns the length of the message whose header is given.
     *
     * @param header first {@link #HEADER_LENGTH} bytes
     * @throws HandshakeException MALFORMED if these bytes begin no handshake message, VERSION if one of another version
     */
    public static int length(byte[] header) throws HandshakeException {
        ByteBuffer buffer = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        if (buffer.getInt(0) != MAGIC) {
            throw new HandshakeException(
                    HandshakeRefusal.MALFORMED, "starts with " + HexFormat.of().formatHex(header, 0, 4));
        }
        int version = header[VERSION_OFFSET] & 0xFF;
        if (version != VERSION) {
            throw new HandshakeException(
                    HandshakeRefusal.VERSION, "peer speaks version " + version + ", this node " + VERSION);
        }
        int length = buffer.getShort(LENGTH_OFFSET) & 0xFFFF;
        if (length <= HEADER_LENGTH || length > LENGTH_MAX) {
            throw new HandshakeException(HandshakeRefusal.MALFORMED, "message of " + length + " bytes");
        }
        return length;
    }

    /**
     * Returns the message with the reason of a refusal.
     *
     * @param refusal reason that the peer receives
     * @param genesisDigest digest of this node's genesis file
     */
    public static byte[] reject(HandshakeRefusal refusal, Digest genesisDigest) {
        byte[] message = new byte[REJECT_LENGTH];
        ByteBuffer buffer = begin(message, REJECT).put((byte) refusal.code()).put(new byte[7]);
        genesisDigest.write(buffer);
        return message;
    }

    static ByteBuffer begin(byte[] message, int kind) {
        ByteBuffer buffer = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        return buffer.putInt(MAGIC).put((byte) VERSION).put((byte) kind).putShort((short) message.length);
    }

    /** Throws unless the message is of this kind and length; for a REJECT the exception carries the peer's reason. */
    static void require(byte[] message, int kind, int length) throws HandshakeException {
        if (message.length < HEADER_LENGTH || length(message) != message.length) {
            throw new HandshakeException(HandshakeRefusal.MALFORMED, "message of " + message.length + " bytes");
        }
        if (message[5] == REJECT && message.length == REJECT_LENGTH) {
            throw HandshakeException.ofPeer(message[8], HexFormat.of().formatHex(message, 16, REJECT_LENGTH));
        }
        if (message[5] != kind || message.length != length) {
            throw new HandshakeException(
                    HandshakeRefusal.MALFORMED,
                    "kind " + message[5] + " of " + message.length + " bytes, expected kind " + kind + " of " + length);
        }
    }
}
