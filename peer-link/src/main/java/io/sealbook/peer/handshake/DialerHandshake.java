package io.sealbook.peer.handshake;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The dialing side of one handshake. Send {@link #hello}, then call {@link #onHello}, then {@link #onConfirm}. One
 * thread.
 */
public final class DialerHandshake {
    private final HandshakeContext context;
    private final int peerId;
    private final HelloExchange exchange;
    private final byte[] hello;
    private Hello peer;
    private Transcript.Keys keys;

    /**
     * @param peerId the node to be found at the other end
     * @param frameCounter counter of the last frame this node has sent in this role; 0 when none
     */
    public DialerHandshake(HandshakeContext context, ConnectionRole role, int peerId, long frameCounter) {
        this.context = context;
        this.peerId = peerId;
        this.exchange = new HelloExchange(context, role, frameCounter);
        this.hello = new byte[Hello.LENGTH];
        exchange.writeHello(hello, HandshakeMessage.HELLO_DIALER, peerId);
    }

    /** Returns the message that begins the handshake. */
    public byte[] hello() {
        return hello.clone();
    }

    /**
     * Judges the acceptor's hello and signature.
     *
     * @return the proof to send back
     */
    public byte[] onHello(byte[] message) throws HandshakeException {
        HandshakeMessage.require(message, HandshakeMessage.HELLO_ACCEPTOR, HandshakeMessage.HELLO_ACCEPTOR_LENGTH);
        Hello answer = Hello.read(message);
        exchange.check(answer);
        if (answer.nodeId() != peerId) {
            throw new HandshakeException(
                    HandshakeRefusal.NODE_ID, "node " + answer.nodeId() + " answers, expected node " + peerId);
        }
        Transcript transcript = new Transcript(context.chainId(), hello, message.clone());
        byte[] signature = Arrays.copyOfRange(message, Hello.LENGTH, message.length);
        if (!context.isSignedBy(answer, transcript.acceptorSigns(), signature)) {
            throw new HandshakeException(HandshakeRefusal.BAD_SIGNATURE, "this is not the identity of node " + peerId);
        }
        keys = transcript.keys(exchange.ephemeralKey().agree(answer.publicKey()));
        peer = answer;
        byte[] proof = new byte[HandshakeMessage.AUTH_LENGTH];
        HandshakeMessage.begin(proof, HandshakeMessage.AUTH)
                .put(context.signer().sign(transcript.dialerSigns()))
                .put(keys.dialerCode());
        return proof;
    }

    /** Judges the acceptor's confirmation. */
    public Session onConfirm(byte[] message) throws HandshakeException {
        HandshakeMessage.require(message, HandshakeMessage.CONFIRM, HandshakeMessage.CONFIRM_LENGTH);
        if (peer == null) {
            throw new HandshakeException(HandshakeRefusal.MALFORMED, "confirmation before hello");
        }
        byte[] code = Arrays.copyOfRange(message, HandshakeMessage.HEADER_LENGTH, message.length);
        if (!MessageDigest.isEqual(keys.acceptorCode(), code)) {
            throw new HandshakeException(HandshakeRefusal.BAD_CONFIRMATION, "from node " + peerId);
        }
        return new Session(
                peerId,
                peer.epoch(),
                keys.dialerToAcceptor(),
                keys.acceptorToDialer(),
                exchange.frameCounter(),
                peer.frameCounter());
    }
}
