package io.sealbook.peer.handshake;

import io.sealbook.vocabulary.Sha256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Everything both sides have said, and what is derived from it. */
final class Transcript {
    private static final byte[] ACCEPTOR_TAG = "SBPEERA1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DIALER_TAG = "SBPEERD1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEYS_INFO = "sealbook peer keys 2".getBytes(StandardCharsets.US_ASCII);

    private static final int KEY_LENGTH = 32;

    private final long chainId;
    private final byte[] dialerHello;
    private final byte[] acceptorHello;

    /**
     * @param dialerHello the whole message
     * @param acceptorHello the whole message; its signature may still be zeros when only {@link #acceptorSigns} is
     *     asked
     */
    Transcript(long chainId, byte[] dialerHello, byte[] acceptorHello) {
        this.chainId = chainId;
        this.dialerHello = dialerHello;
        this.acceptorHello = acceptorHello;
    }

    /** Returns what the acceptor signs: both hellos without its signature. */
    byte[] acceptorSigns() {
        return signed(ACCEPTOR_TAG, digest(Hello.LENGTH));
    }

    /** Returns what the dialer signs: both hellos and the acceptor's signature. */
    byte[] dialerSigns() {
        return signed(DIALER_TAG, digest(acceptorHello.length));
    }

    Keys keys(byte[] sharedSecret) {
        byte[] extracted = Hkdf.extract(digest(acceptorHello.length), sharedSecret);
        byte[] output = Hkdf.expand(extracted, KEYS_INFO, 6 * KEY_LENGTH);
        return new Keys(
                new DirectionKeys(part(output, 0), part(output, 1)),
                new DirectionKeys(part(output, 2), part(output, 3)),
                code(part(output, 4)),
                code(part(output, 5)));
    }

    private static byte[] part(byte[] output, int index) {
        return Arrays.copyOfRange(output, index * KEY_LENGTH, (index + 1) * KEY_LENGTH);
    }

    /** The keys of both directions, and the codes by which each side shows that it has them. */
    record Keys(
            DirectionKeys dialerToAcceptor, DirectionKeys acceptorToDialer, byte[] dialerCode, byte[] acceptorCode) {}

    private byte[] code(byte[] confirmationKey) {
        return Arrays.copyOf(
                Hkdf.mac(confirmationKey).doFinal(digest(acceptorHello.length)), HandshakeMessage.CODE_LENGTH);
    }

    private byte[] digest(int acceptorLength) {
        return new Sha256()
                .update(dialerHello)
                .update(acceptorHello, 0, acceptorLength)
                .digestBytes();
    }

    private byte[] signed(byte[] tag, byte[] digest) {
        ByteBuffer buffer = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
        return buffer.put(tag).putLong(chainId).put(digest).array();
    }
}
