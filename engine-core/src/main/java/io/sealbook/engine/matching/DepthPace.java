package io.sealbook.engine.matching;

import java.util.concurrent.TimeUnit;

/**
 * When depth is published that has changed: at most once in a while, and seldom as long as nobody has read what was
 * published last, but for a pause of the market. The depth of 2,000 books costs the loop some 3 ms. One thread.
 */
final class DepthPace {
    /** A reader that comes gets depth of this age under load, and newer one soon afterwards. */
    private static final long UNREAD_MS = 1_000;

    private final long readNs;
    private final long unreadNs;
    private long publishedNs;
    private long blockNs;

    /**
     * @param conflationMs least time between two publications, and the pause after which one is due, ms
     * @param nowNs now, from any origin; counts as the time of a publication and of a block
     */
    DepthPace(long conflationMs, long nowNs) {
        readNs = TimeUnit.MILLISECONDS.toNanos(conflationMs);
        unreadNs = Math.max(readNs, TimeUnit.MILLISECONDS.toNanos(UNREAD_MS));
        publishedNs = nowNs;
        blockNs = nowNs;
    }

    /** A block was executed. */
    void onBlock(long nowNs) {
        blockNs = nowNs;
    }

    /**
     * Returns the nanoseconds until depth is due if no block comes; 0 or less if it is due now.
     *
     * @param isRead whether anybody has read what was published last
     * @param nowNs now, from the same origin
     */
    long dueInNs(boolean isRead, long nowNs) {
        long sincePublishedNs = nowNs - publishedNs;
        long sinceBlockNs = nowNs - blockNs;
        return Math.min((isRead ? readNs : unreadNs) - sincePublishedNs, readNs - sinceBlockNs);
    }

    void onPublished(long nowNs) {
        publishedNs = nowNs;
    }
}
