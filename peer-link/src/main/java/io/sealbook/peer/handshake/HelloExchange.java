package io.sealbook.peer.handshake;

/** The part that both sides of a handshake do alike: say hello, and judge the other's. */
final class HelloExchange {
    private static final int NONCE_LENGTH = 32;

    private final HandshakeContext context;
    private final ConnectionRole role;
    private final long frameCounter;
    private EphemeralKey ephemeralKey;

    HelloExchange(HandshakeContext context, ConnectionRole role, long frameCounter) {
        this.context = context;
        this.role = role;
        this.frameCounter = frameCounter;
    }

    /** Returns the key of the hello; null before it is written. */
    EphemeralKey ephemeralKey() {
        return ephemeralKey;
    }

    long frameCounter() {
        return frameCounter;
    }

    /** Writes this side's hello, with a key made for it, into the first bytes of {@code message}. */
    void writeHello(byte[] message, int kind, int peerId) {
        ephemeralKey = EphemeralKey.generate(context.random());
        byte[] nonce = new byte[NONCE_LENGTH];
        context.random().nextBytes(nonce);
        new Hello(
                        role.code(),
                        HandshakeMessage.VERSION,
                        context.nodeId(),
                        peerId,
                        context.epoch().number(),
                        context.chainId(),
                        frameCounter,
                        context.genesisDigest(),
                        nonce,
                        ephemeralKey.publicKey())
                .write(message, kind);
    }

    /** Checks the facts that a hello states; the signature proves them. */
    void check(Hello hello) throws HandshakeException {
        if (!hello.genesisDigest().equals(context.genesisDigest())) {
            throw new HandshakeException(
                    HandshakeRefusal.GENESIS_MISMATCH,
                    "node " + hello.nodeId() + " runs genesis "
                            + hello.genesisDigest().hex() + ", this node "
                            + context.genesisDigest().hex());
        }
        if (hello.chainId() != context.chainId()) {
            throw new HandshakeException(
                    HandshakeRefusal.GENESIS_MISMATCH,
                    "chain id " + hello.chainId() + ", expected " + context.chainId());
        }
        if (hello.frameVersion() != HandshakeMessage.VERSION) {
            throw new HandshakeException(
                    HandshakeRefusal.VERSION,
                    "peer sends frames of version " + hello.frameVersion() + ", this node " + HandshakeMessage.VERSION);
        }
        if (hello.role() != role.code()) {
            throw new HandshakeException(
                    HandshakeRefusal.ROLE, "role " + hello.role() + " on a connection for " + role);
        }
        if (hello.nodeId() >= context.identities().size() || hello.nodeId() == context.nodeId()) {
            throw new HandshakeException(HandshakeRefusal.NODE_ID, "peer says it is node " + hello.nodeId());
        }
        if (hello.toNodeId() != context.nodeId()) {
            throw new HandshakeException(
                    HandshakeRefusal.NODE_ID,
                    "node " + hello.nodeId() + " looks for node " + hello.toNodeId() + ", this is node "
                            + context.nodeId());
        }
        if (hello.frameCounter() < 0) {
            throw new HandshakeException(HandshakeRefusal.MALFORMED, "frame counter " + hello.frameCounter());
        }
    }
}
