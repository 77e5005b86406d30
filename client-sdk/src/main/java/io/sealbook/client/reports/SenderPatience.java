package io.sealbook.client.reports;

/**
 * How long the engine that sends the reports may be behind what others vouch for. Its time begins anew with each new
 * run of the wanted block, and is bounded in all, so that an engine that sends run after run just in time is left too.
 * Both times double with each engine that has used its own up, until a block is delivered: if every engine is slow, a
 * later one has time enough. Reads no clock. Loop thread only.
 */
final class SenderPatience {
    /** The time in all is so many times the time without a new run. */
    private static final int TOTAL_FACTOR = 4;
    /** With 1 s at first: 64 s without a new run, and 256 s in all, in which 64 MiB come at 256 KiB/s. */
    private static final int DOUBLINGS_MAX = 6;
    /** Products of it fit into a {@code long}. */
    private static final long FIRST_MAX_NS = Long.MAX_VALUE >> DOUBLINGS_MAX + 4;

    private final long firstNs;
    private int doublings;
    /** Whether the sender is behind. */
    private boolean isOn;
    /** Counts the times at which a sender began to be behind. */
    private long number;

    private long stepNs;
    private long reached;
    private long stepEndNs;
    private long endNs;

    /** @param firstNs time without a new run, above 0, where no engine has used its time up */
    SenderPatience(long firstNs) {
        this.firstNs = Math.min(firstNs, FIRST_MAX_NS);
    }

    /**
     * Notes that the sender is behind.
     *
     * @param sequence after the last report of the wanted block whose run it has sent
     * @param nowNs of {@link System#nanoTime}
     * @return whether it was not behind before
     */
    boolean behind(long sequence, long nowNs) {
        boolean begins = !isOn;
        if (begins) {
            isOn = true;
            number++;
            stepNs = firstNs << doublings;
            endNs = nowNs + TOTAL_FACTOR * stepNs;
        }
        if (begins || sequence > reached) {
            reached = sequence;
            stepEndNs = nowNs + stepNs;
        }
        return begins;
    }

    /** Notes that the sender is not behind, or is another one. */
    void end() {
        isOn = false;
    }

    /** Notes that a block is delivered. */
    void delivered() {
        doublings = 0;
    }

    /** Notes that the sender has used its time up. */
    void usedUp() {
        isOn = false;
        doublings = Math.min(doublings + 1, DOUBLINGS_MAX);
    }

    /** Returns which sender's being behind this is; another number later. */
    long number() {
        return number;
    }

    /** Returns whether the sender is behind since {@link #number} was this. */
    boolean isOn(long since) {
        return isOn && number == since;
    }

    /** Returns the time that is left to the sender, 0 or less if it is used up. */
    long leftNs(long nowNs) {
        return Math.min(stepEndNs - nowNs, endNs - nowNs);
    }
}
