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
    private static final byte[] KEYS_INFO = "sealbook peer keys 1".getBytes(StandardCharsets.US_ASCII);

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
        byte[] output = Hkdf.expand(extracted, KEYS_INFO, 128);
        return new Keys(
                Arrays.copyOfRange(output, 0, 32),
                Arrays.copyOfRange(output, 32, 64),
                code(Arrays.copyOfRange(output, 64, 96)),
                code(Arrays.copyOfRange(output, 96, 128)));
    }

    /** The keys of both directions, and the codes by which each side shows that it has them. */
    record Keys(byte[] dialerToAcceptor, byte[] acceptorToDialer, byte[] dialerCode, byte[] acceptorCode) {}

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
