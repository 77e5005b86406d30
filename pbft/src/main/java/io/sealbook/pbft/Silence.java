package io.sealbook.pbft;

import java.util.Arrays;

/**
 * How long each other replica has been silent, and whether the primary has been for too long. Counted in heartbeat
 * periods in which this process read its connections, so a pause of this process makes nobody silent.
 *
 * <p>The bound adapts as that of an eventually perfect failure detector does (Chandra and Toueg, JACM 43(2), 1996,
 * section 6.2): a silence after which a replica was heard again, whether it was suspected or not, makes the bound twice
 * as long, and is remembered for one to two windows. A silence that f+1 replicas reached counts for all of them: it
 * comes from this machine or its network, and f faulty replicas cannot make it up. View changes without a delivery
 * double the bound as they do the timeouts.
 *
 * <p>The floor is the grace of a lost connection, the ceiling the request timeout. A silence that ends with the
 * connection teaches nothing: that replica was away.
 */
final class Silence {
    /** A replica that starts is slow: it is judged after it was heard in this number of periods. */
    static final int HEARD_MIN = 50;
    /** Periods of a window of the memory: 5 minutes of 20 ms. */
    static final int WINDOW_PERIODS = 15_000;

    private static final int MARGIN = 2;

    private final Core core;
    private final int floor;
    private final int ceiling;
    /** Periods since something came, by replica. */
    private final int[] silent;
    /** Periods in which something came since the connection, up to {@link #HEARD_MIN}. */
    private final int[] heard;
    /** Longest silence in this window that ended, by replica. */
    private final int[] longest;
    /** The same in the window before. */
    private final int[] longestBefore;
    /** Longest silence that f+1 replicas reached. */
    private int common;

    private int windowPeriods;

    Silence(Core core) {
        this.core = core;
        long periodNs = core.config.heartbeatNs();
        floor = (int) Math.max(1, Math.ceilDiv(core.config.linkGraceNs(), periodNs));
        ceiling = (int) Math.max(floor, core.config.requestTimeoutNs() / periodNs);
        int count = core.config.replicaCount();
        silent = new int[count];
        heard = new int[count];
        longest = new int[count];
        longestBefore = new int[count];
    }

    /** It may have started anew. */
    void onConnected(int replica) {
        silent[replica] = 0;
        heard[replica] = 0;
    }

    /** A period is over; {@code replicas} has a bit for each that was heard. */
    void onPeriod(long replicas) {
        if (++windowPeriods == WINDOW_PERIODS) {
            windowPeriods = 0;
            System.arraycopy(longest, 0, longestBefore, 0, longest.length);
            Arrays.fill(longest, 0);
            common = commonToOneCorrect();
        }
        for (int replica = 0; replica < silent.length; replica++) {
            if ((replicas >>> replica & 1) == 0) {
                silent[replica] = Math.min(silent[replica] + 1, ceiling);
            } else {
                learn(replica, silent[replica]);
                silent[replica] = 0;
                heard[replica] = Math.min(heard[replica] + 1, HEARD_MIN);
            }
        }
    }

    private void learn(int replica, int periods) {
        if (heard[replica] > 0 && periods > longest[replica]) {
            longest[replica] = periods;
            common = commonToOneCorrect();
        }
    }

    private int commonToOneCorrect() {
        int[] each = new int[silent.length];
        Arrays.setAll(each, this::remembered);
        Arrays.sort(each);
        return each[each.length - core.quorum.oneCorrect()];
    }

    private int remembered(int replica) {
        return Math.max(longest[replica], longestBefore[replica]);
    }

    /** Returns whether the primary of the present view has been silent for longer than it ever is. */
    boolean isPrimarySilent() {
        int primary = core.primary();
        return heard[primary] == HEARD_MIN && silent[primary] >= bound(primary);
    }

    /** Returns the number of periods from which on a replica is silent. */
    int bound(int replica) {
        int learned = MARGIN * Math.max(remembered(replica), common);
        int doublings = Math.min(Math.max(0, core.standing.viewChangeAttempts() - 1), Integer.SIZE - 2);
        return (int) Math.min((long) Math.max(floor, learned) << doublings, ceiling);
    }
}
