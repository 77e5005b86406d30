package io.sealbook.consensus.status;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sealbook.node.port.BlockTimes;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How long the phases of a block's life take in this node. Blocks of a state transfer have no such life. Any thread.
 *
 * <pre>
 *   PACKING     arrival of the block's first batch ─▶ its proposal made or accepted here; 0 if the proposal came first
 *   AGREEMENT   proposal ─▶ a quorum has committed it
 *   COMMIT      agreement ─▶ the block is in the archive, as durable as the node's class says, and handed on
 *   EXECUTION   handed on ─▶ executed, by the engine's clock; engines of experiments execute within COMMIT
 * </pre>
 */
public final class BlockPhaseTimers {
    /** A phase of a block's life. */
    public enum Phase {
        PACKING,
        AGREEMENT,
        COMMIT,
        EXECUTION
    }

    /** Blocks whose result is awaited, power of two; a later one drops the oldest. */
    private static final int AWAITED_MAX = 1_024;

    private static final int MASK = AWAITED_MAX - 1;

    private final Timer[] timers = new Timer[Phase.values().length];
    /** Guarded by this, by sequence: which block a place is of, and the instant that came first. */
    private final long[] sequences = new long[AWAITED_MAX];

    private final long[] instantsNs = new long[AWAITED_MAX];
    private final boolean[] isHandedOn = new boolean[AWAITED_MAX];

    BlockPhaseTimers(MeterRegistry registry) {
        for (Phase phase : Phase.values()) {
            timers[phase.ordinal()] = Timer.builder("sealbook.node.block.phase")
                    .description("What takes the time of a block: packing, agreement, commit or execution?")
                    .tag("phase", phase.name().toLowerCase(Locale.ROOT))
                    .publishPercentiles(0.5, 0.95, 0.99)
                    .register(registry);
        }
    }

    /**
     * Records a block that is handed on now.
     *
     * @param sequence of the block
     * @param times of its life until its agreement
     * @param nowNs monotonic clock
     * @param wallNs the same instant, nanoseconds since 1970
     */
    void handedOn(long sequence, BlockTimes times, long nowNs, long wallNs) {
        record(Phase.PACKING, times.packingNs());
        record(Phase.AGREEMENT, times.agreementNs());
        record(Phase.COMMIT, nowNs - times.agreedNs());
        note(sequence, wallNs, true);
    }

    /**
     * Records a result. It may come before {@link #handedOn} of its block: the engine does not wait for that.
     *
     * @param sequence of the block
     * @param executedTimeNs engine's clock, nanoseconds since 1970
     */
    public void executed(long sequence, long executedTimeNs) {
        note(sequence, executedTimeNs, false);
    }

    private synchronized void note(long sequence, long instantNs, boolean isHandOver) {
        int place = (int) sequence & MASK;
        if (sequences[place] == sequence && isHandedOn[place] != isHandOver) {
            long executionNs = isHandOver ? instantsNs[place] - instantNs : instantNs - instantsNs[place];
            record(Phase.EXECUTION, Math.max(0, executionNs));
            sequences[place] = 0;
            return;
        }
        sequences[place] = sequence;
        instantsNs[place] = instantNs;
        isHandedOn[place] = isHandOver;
    }

    private void record(Phase phase, long nanos) {
        if (nanos >= 0) {
            timers[phase.ordinal()].record(nanos, TimeUnit.NANOSECONDS);
        }
    }
}
