package io.sealbook.peer;

/**
 * How long each peer must wait for its next connection, because it sent on a proven one what no correct node sends. The
 * wait doubles with each fault, so that a peer that goes on pays handshakes for ever fewer frames. A fault that comes
 * long after the one before counts as the first. The role's event loop only.
 */
final class Penalties {
    static final int WAIT_MIN_MS = 100;
    static final int WAIT_MAX_MS = 60_000;
    static final int FORGOTTEN_AFTER_MS = 10 * 60_000;

    private static final long NS_PER_MS = 1_000_000;

    private final int[] lengthMs;
    private final long[] beganNs;

    Penalties(int peerCount) {
        lengthMs = new int[peerCount];
        beganNs = new long[peerCount];
    }

    /**
     * A peer has sent what no correct node sends.
     *
     * @param peer from 0
     * @param nowNs monotonic clock
     */
    void onFault(int peer, long nowNs) {
        boolean isFirst = lengthMs[peer] == 0 || nowNs - beganNs[peer] > FORGOTTEN_AFTER_MS * NS_PER_MS;
        lengthMs[peer] = isFirst ? WAIT_MIN_MS : Math.min(2 * lengthMs[peer], WAIT_MAX_MS);
        beganNs[peer] = nowNs;
    }

    /**
     * Returns how many milliseconds the peer must still wait, 0 if none.
     *
     * @param peer from 0
     * @param nowNs monotonic clock
     */
    int waitMs(int peer, long nowNs) {
        if (lengthMs[peer] == 0) {
            return 0;
        }
        return (int) Math.max(0, lengthMs[peer] - (nowNs - beganNs[peer]) / NS_PER_MS);
    }
}
