package io.sealbook.pbft;

import java.util.BitSet;

/**
 * Whether the connection to the primary is lost, as the shell reports it: its process ended, or its machine is cut off.
 * A lost primary is suspected as soon as something waits for it, which is long before the REQUEST timeout. One that was
 * never connected is not lost: it may still be about to start.
 */
final class PrimaryLink {
    private final Core core;
    /** Replicas that were connected and are not. */
    private final BitSet disconnected = new BitSet();

    private boolean isLost;

    PrimaryLink(Core core) {
        this.core = core;
    }

    void onDisconnected(int replica) {
        disconnected.set(replica);
        if (replica == core.primary()) {
            watch();
        }
    }

    void onConnected(int replica) {
        disconnected.clear(replica);
        if (replica == core.primary()) {
            watch();
        }
    }

    /** The view is another one, or the connection to its primary has changed: a connection may come back at once. */
    void watch() {
        isLost = false;
        core.timers.stop(Timer.LINK);
        if (disconnected.get(core.primary())) {
            core.timers.start(Timer.LINK, core.config.linkGraceNs());
        }
    }

    /** The connection did not come back in time. */
    void onTimer() {
        isLost = true;
    }

    /** Returns whether the connection to the primary of the present view was lost and did not come back in time. */
    boolean isLost() {
        return isLost;
    }
}
