package io.sealbook.perf.proxy;

/**
 * How one direction of a link behaves.
 *
 * @param delayMs added to each byte's way, ms
 * @param bytesPerSecond of each connection at most; 0 is no limit
 * @param isHeld whether bytes wait, as behind a router that drops everything: connections stay until a peer gives up
 * @param isCut whether connections end and new ones are closed at once, as with a firewall that resets
 * @param cutsPerThousand how many of a thousand reads end their connection, as a loss that TCP does not mend
 */
public record LinkCondition(long delayMs, long bytesPerSecond, boolean isHeld, boolean isCut, int cutsPerThousand) {
    /** A healthy link. */
    public static final LinkCondition GOOD = new LinkCondition(0, 0, false, false, 0);

    /** Bytes wait until the link is good again. */
    public static final LinkCondition HELD = new LinkCondition(0, 0, true, false, 0);

    /** Connections end. */
    public static final LinkCondition CUT = new LinkCondition(0, 0, false, true, 0);

    /**
     * Returns a slow link.
     *
     * @param delayMs on the way of each byte, ms
     * @param bytesPerSecond at most; 0 is no limit
     */
    public static LinkCondition slow(long delayMs, long bytesPerSecond) {
        return new LinkCondition(delayMs, bytesPerSecond, false, false, 0);
    }

    /** Returns a link of whose reads some end their connection. */
    public static LinkCondition lossy(int cutsPerThousand) {
        return new LinkCondition(0, 0, false, false, cutsPerThousand);
    }
}
