package io.sealbook.engine.matching;

import java.util.concurrent.TimeUnit;

/**
 * When depth is published: at once while there is nothing else to do; under load at most once in a while, and seldom as
 * long as nobody has read what was published last. The depth of 2,000 books costs the loop some 3 ms.
 */
final class DepthPace {
    /** A reader that comes gets depth of this age under load, and newer one soon afterwards. */
    private static final long UNREAD_MS = 1_000;

    private final long readNs;
    private final long unreadNs;
    private long lastNs;

    /**
     * @param conflationMs least time between two publications under load, ms
     * @param nowNs now, from any origin; counts as the time of a publication
     */
    DepthPace(long conflationMs, long nowNs) {
        readNs = TimeUnit.MILLISECONDS.toNanos(conflationMs);
        unreadNs = Math.max(readNs, TimeUnit.MILLISECONDS.toNanos(UNREAD_MS));
        lastNs = nowNs;
    }

    /**
     * Returns whether depth is to be published now.
     *
     * @param isIdle whether the loop has nothing else to do
     * @param isRead whether anybody has read what was published last
     * @param nowNs now, from the same origin
     */
    boolean isDue(boolean isIdle, boolean isRead, long nowNs) {
        return isIdle || nowNs - lastNs >= (isRead ? readNs : unreadNs);
    }

    void onPublished(long nowNs) {
        lastNs = nowNs;
    }
}
