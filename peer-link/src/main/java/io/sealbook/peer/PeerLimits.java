package io.sealbook.peer;

/**
 * Limits of the transport; each says what happens when it is reached.
 *
 * @param voteLengthMax bytes of one vote; a longer one closes the connection it came on
 * @param payloadLengthMax bytes of one payload frame; likewise
 * @param voteQueueBytesMax bytes waiting for one peer on the vote connection; the oldest are dropped and counted,
 *     STATUS repairs
 * @param payloadQueueBytesMax bytes waiting for one peer on the payload connection; new ones are dropped and counted,
 *     fetching repairs
 * @param inboxPerPeerMax votes of one peer that wait for the agent; beyond it nothing is read from that peer
 * @param handshakesMax connections accepted that have said no right hello; the same number again for members'
 *     addresses. For a further one, the address that has most of them loses its oldest
 * @param handshakesPerPeerMax connections that said they are one peer and have not proven it; likewise
 * @param framesPerKey frames after which a session's keys are renewed
 * @param handshakeTimeoutMs before an unproven connection is closed
 * @param heartbeatMs without a frame on a payload connection before a heartbeat is sent
 * @param voteHeartbeatMs period in which a frame goes to each peer on the vote connection, and in which the peers that
 *     were heard are reported
 * @param silenceMaxMs without a frame before a peer counts as lost
 * @param reconnectDelayMinMs before the first new attempt; doubles
 * @param reconnectDelayMaxMs cap of it
 */
public record PeerLimits(
        int voteLengthMax,
        int payloadLengthMax,
        int voteQueueBytesMax,
        int payloadQueueBytesMax,
        int inboxPerPeerMax,
        int handshakesMax,
        int handshakesPerPeerMax,
        long framesPerKey,
        int handshakeTimeoutMs,
        int heartbeatMs,
        int voteHeartbeatMs,
        int silenceMaxMs,
        int reconnectDelayMinMs,
        int reconnectDelayMaxMs) {

    /** 16 MiB holds the NEW-VIEW of 13 nodes whose windows of 128 blocks are full; 32 MiB the largest block. */
    public static final PeerLimits DEFAULTS = new PeerLimits(
            16 << 20, 32 << 20, 32 << 20, 64 << 20, 4_096, 64, 8, 1 << 20, 5_000, 1_000, 20, 5_000, 50, 2_000);

    private static final int KINDS_OF_SOCKETS = 3;

    public PeerLimits {
        requirePositive("voteLengthMax", voteLengthMax);
        requirePositive("payloadLengthMax", payloadLengthMax);
        requirePositive("voteQueueBytesMax", voteQueueBytesMax);
        requirePositive("payloadQueueBytesMax", payloadQueueBytesMax);
        requirePositive("inboxPerPeerMax", inboxPerPeerMax);
        requirePositive("handshakesMax", handshakesMax);
        requirePositive("handshakesPerPeerMax", handshakesPerPeerMax);
        requirePositive("framesPerKey", framesPerKey);
        requirePositive("handshakeTimeoutMs", handshakeTimeoutMs);
        requirePositive("heartbeatMs", heartbeatMs);
        requirePositive("voteHeartbeatMs", voteHeartbeatMs);
        requirePositive("reconnectDelayMinMs", reconnectDelayMinMs);
        if (silenceMaxMs <= heartbeatMs) {
            throw new IllegalArgumentException("silenceMaxMs " + silenceMaxMs + ", heartbeatMs " + heartbeatMs);
        }
        if (reconnectDelayMaxMs < reconnectDelayMinMs) {
            throw new IllegalArgumentException(
                    "reconnectDelayMaxMs " + reconnectDelayMaxMs + ", reconnectDelayMinMs " + reconnectDelayMinMs);
        }
    }

    /**
     * Returns these limits with fewer unproven connections, where a process may open few files.
     *
     * @param sockets what the port of a role may hold
     * @param nodeCount nodes of the epoch
     */
    PeerLimits within(int sockets, int nodeCount) {
        // Both kinds are there twice, and a third of the sockets is left for sessions.
        int handshakes = Math.clamp(sockets / (2 * KINDS_OF_SOCKETS), 1, handshakesMax);
        int perPeer = Math.clamp(sockets / (2 * KINDS_OF_SOCKETS * Math.max(1, nodeCount)), 1, handshakesPerPeerMax);
        return new PeerLimits(
                voteLengthMax,
                payloadLengthMax,
                voteQueueBytesMax,
                payloadQueueBytesMax,
                inboxPerPeerMax,
                handshakes,
                perPeer,
                framesPerKey,
                handshakeTimeoutMs,
                heartbeatMs,
                voteHeartbeatMs,
                silenceMaxMs,
                reconnectDelayMinMs,
                reconnectDelayMaxMs);
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException("peer limits: " + name + " is " + value);
        }
    }
}
