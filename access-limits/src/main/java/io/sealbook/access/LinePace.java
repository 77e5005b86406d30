package io.sealbook.access;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Bounds how many lines about each peer are logged, whatever it does: at most {@link #LINES_MAX} per
 * {@link #INTERVAL_S}. The first line after those says how many were left out. Any thread.
 */
public final class LinePace {
    /** Lines about a peer per interval. */
    public static final int LINES_MAX = 20;

    /** Length of an interval, seconds; it begins with its first line. */
    public static final int INTERVAL_S = 60;

    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(INTERVAL_S);

    private Peer[] peers = new Peer[0];

    private static final class Peer {
        long startNs;
        int lineCount;
        long leftOut;

        Peer(long startNs) {
            this.startNs = startNs;
        }
    }

    /**
     * Completes a line, or leaves it out.
     *
     * @param peer that the line is about, from 0
     * @param line without the count
     * @param nowNs as of {@link System#nanoTime}
     * @return the line to be logged; empty if it is left out
     */
    public synchronized String of(int peer, String line, long nowNs) {
        if (peer >= peers.length) {
            peers = Arrays.copyOf(peers, peer + 1);
        }
        if (peers[peer] == null) {
            peers[peer] = new Peer(nowNs);
        }
        Peer one = peers[peer];
        if (nowNs - one.startNs >= INTERVAL_NS) {
            one.startNs = nowNs;
            one.lineCount = 0;
        }
        if (one.lineCount == LINES_MAX) {
            one.leftOut++;
            return "";
        }
        one.lineCount++;
        long leftOut = one.leftOut;
        one.leftOut = 0;
        return leftOut == 0 ? line : line + "; " + leftOut + " such lines before it were left out";
    }
}
