package io.sealbook.peer.handshake;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The accepting side of one handshake. Call {@link #onHello}, then send {@link #hello}, then call {@link #onAuth}. One
 * thread.
 */
public final class AcceptorHandshake {
    private final HandshakeContext context;
    private final HelloExchange exchange;
    private Hello peer;
    private byte[] peerHello;
    private Transcript transcript;

    /** @param frameCounter counter of the last frame this node has sent in this role; 0 when none */
    public AcceptorHandshake(HandshakeContext context, ConnectionRole role, long frameCounter) {
        this.context = context;
        this.exchange = new HelloExchange(context, role, frameCounter);
    }

    /**
     * Judges the dialer's hello by what it says; this costs no cryptography.
     *
     * @return the node that the dialer says it is
     */
    public int onHello(byte[] message) throws HandshakeException {
        HandshakeMessage.require(message, HandshakeMessage.HELLO_DIALER, Hello.LENGTH);
        Hello hello = Hello.read(message);
        exchange.check(hello);
        if (hello.nodeId() < context.nodeId()) {
            throw new HandshakeException(
                    HandshakeRefusal.NODE_ID, "node " + hello.nodeId() + " dials, but the higher id dials");
        }
        peer = hello;
        peerHello = message.clone();
        return hello.nodeId();
    }

    /** Returns the hello to send back, signed. */
    public byte[] hello() {
        byte[] answer = new byte[HandshakeMessage.HELLO_ACCEPTOR_LENGTH];
        exchange.writeHello(answer, HandshakeMessage.HELLO_ACCEPTOR, peer.nodeId());
        transcript = new Transcript(context.chainId(), peerHello, answer);
        byte[] signature = context.signer().sign(transcript.acceptorSigns());
        System.arraycopy(signature, 0, answer, Hello.LENGTH, signature.length);
        return answer.clone();
    }

    /**
     * Judges the dialer's proof.
     *
     * @return the session, and the confirmation to send back
     */
    public Accepted onAuth(byte[] message) throws HandshakeException {
        HandshakeMessage.require(message, HandshakeMessage.AUTH, HandshakeMessage.AUTH_LENGTH);
        if (transcript == null) {
            throw new HandshakeException(HandshakeRefusal.MALFORMED, "proof before hello");
        }
        int codeOffset = HandshakeMessage.HEADER_LENGTH + HandshakeMessage.SIGNATURE_LENGTH;
        byte[] signature = Arrays.copyOfRange(message, HandshakeMessage.HEADER_LENGTH, codeOffset);
        if (!context.isSignedBy(peer, transcript.dialerSigns(), signature)) {
            throw new HandshakeException(
                    HandshakeRefusal.BAD_SIGNATURE, "this is not the identity of node " + peer.nodeId());
        }
        Transcript.Keys keys = transcript.keys(exchange.ephemeralKey().agree(peer.publicKey()));
        if (!MessageDigest.isEqual(keys.dialerCode(), Arrays.copyOfRange(message, codeOffset, message.length))) {
            throw new HandshakeException(HandshakeRefusal.BAD_CONFIRMATION, "from node " + peer.nodeId());
        }
        byte[] confirmation = new byte[HandshakeMessage.CONFIRM_LENGTH];
        HandshakeMessage.begin(confirmation, HandshakeMessage.CONFIRM).put(keys.acceptorCode());
        Session session = new Session(
                peer.nodeId(),
                peer.epoch(),
                keys.acceptorToDialer(),
                keys.dialerToAcceptor(),
                exchange.frameCounter(),
                peer.frameCounter());
        return new Accepted(session, confirmation);
    }

    /** A session, and the last message of the handshake, which is still to be sent. */
    public record Accepted(Session session, byte[] confirmation) {}
}
