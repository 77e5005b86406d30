package io.sealbook.matching;

import io.sealbook.vocabulary.BatchView;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The dead man's switches of all sessions, in block time. A switch that is set runs out if no batch of its session is
 * executed for as long as it says; then it rests until the session's next batch. Sessions are counted as in
 * {@link SessionNumbers}.
 */
final class CancelAfter {
    /** The shortest time, in {@link BatchView#TIME_TO_LIVE_UNIT_NS}: 1 s. */
    static final long UNITS_MIN = 100;
    /** The longest time: 24 h. */
    static final long UNITS_MAX = 8_640_000;
    /** The deadline of a switch that is off, or rests. */
    static final long NEVER = Long.MAX_VALUE;

    private final int sessionsPerBroker;
    /** 0 if off. */
    private int[] units;
    /** Block time after which a switch has run out, ns since the epoch. */
    private long[] deadlines;
    /** No deadline is before it. */
    private long earliest = NEVER;

    /**
     * @param brokerCount brokers of the configuration
     * @param sessionsPerBroker sessions that each of them has
     */
    CancelAfter(int brokerCount, int sessionsPerBroker) {
        this.sessionsPerBroker = sessionsPerBroker;
        this.units = new int[0];
        this.deadlines = new long[0];
        grow(brokerCount);
    }

    /** Has sessions of further brokers at the end. */
    void grow(int brokerCount) {
        int before = deadlines.length;
        units = Arrays.copyOf(units, brokerCount * sessionsPerBroker);
        deadlines = Arrays.copyOf(deadlines, units.length);
        Arrays.fill(deadlines, before, deadlines.length, NEVER);
    }

    /** Returns whether a time may be set: none, or one within the limits. */
    static boolean isTime(long units) {
        return units == 0 || UNITS_MIN <= units && units <= UNITS_MAX;
    }

    /** Sets a switch, or switches it off by 0. */
    void set(int session, int sessionUnits, long blockTimeNs) {
        units[session] = sessionUnits;
        deadlines[session] = NEVER;
        onBatch(session, blockTimeNs);
    }

    /** A batch of the session is executed: its time begins anew. */
    void onBatch(int session, long blockTimeNs) {
        long time = units[session] * BatchView.TIME_TO_LIVE_UNIT_NS;
        if (time != 0) {
            restore(session, units[session], blockTimeNs > NEVER - time ? NEVER : blockTimeNs + time);
        }
    }

    /** Names each session whose deadline is before a block's time, in order, once. */
    void runOut(long blockTimeNs, IntConsumer sessions) {
        if (blockTimeNs <= earliest) {
            return;
        }
        earliest = NEVER;
        for (int session = 0; session < deadlines.length; session++) {
            if (deadlines[session] < blockTimeNs) {
                deadlines[session] = NEVER;
                sessions.accept(session);
            }
            earliest = Math.min(earliest, deadlines[session]);
        }
    }

    int units(int session) {
        return units[session];
    }

    long deadline(int session) {
        return deadlines[session];
    }

    void restore(int session, int sessionUnits, long deadline) {
        units[session] = sessionUnits;
        deadlines[session] = deadline;
        earliest = Math.min(earliest, deadline);
    }
}
