package io.sealbook.access;

/**
 * The sockets of one port, divided: those of connections, and with TLS those whose handshake is not done.
 *
 * @param connectionsMax open connections, at least 1
 * @param handshakesMax connections whose hello has not come, and as many whose hello is answered
 */
public record SocketPlaces(int connectionsMax, int handshakesMax) {
    /** A handshake takes some milliseconds; the descriptors of both kinds of them stay below 300. */
    private static final int HANDSHAKES_MAX = 128;

    private static final int HANDSHAKES_MIN = 2;
    private static final int HANDSHAKE_PART = 8;
    /** Silent ones, answered ones, and those that have lost their place and are being closed. */
    private static final int KINDS_OF_HANDSHAKES = 3;

    /**
     * Divides the sockets of a port.
     *
     * @param wantedConnectionsMax what the operator allows
     * @param sockets what the port may hold
     * @param hasTls whether connections begin with a handshake
     */
    public static SocketPlaces of(int wantedConnectionsMax, int sockets, boolean hasTls) {
        if (!hasTls) {
            return new SocketPlaces(Math.min(wantedConnectionsMax, sockets), 0);
        }
        int handshakes = Math.clamp(sockets / HANDSHAKE_PART, HANDSHAKES_MIN, HANDSHAKES_MAX);
        int left = sockets - KINDS_OF_HANDSHAKES * handshakes;
        return new SocketPlaces(Math.max(1, Math.min(wantedConnectionsMax, left)), handshakes);
    }

    /** Returns how many sockets there are at most. */
    int all() {
        return connectionsMax + KINDS_OF_HANDSHAKES * handshakesMax;
    }
}
