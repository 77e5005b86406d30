package io.sealbook.pbft;

/** The timers that run, as far as inputs have shown, so that each is started and stopped once. */
final class Timers {
    private final Core core;
    private final boolean[] isRunning = new boolean[Timer.values().length];
    private final long[] startedInCycle = new long[Timer.values().length];
    private long cycle;
    /** The BATCH timer fired and no proposal has been made since. */
    boolean hasBatchWaited;

    Timers(Core core) {
        this.core = core;
    }

    void start(Timer timer, long delayNs) {
        isRunning[timer.ordinal()] = true;
        startedInCycle[timer.ordinal()] = cycle;
        core.emit(new Output.StartTimer(timer, delayNs));
    }

    void startIfStopped(Timer timer, long delayNs) {
        if (!isRunning[timer.ordinal()]) {
            start(timer, delayNs);
        }
    }

    void stop(Timer timer) {
        if (isRunning[timer.ordinal()]) {
            isRunning[timer.ordinal()] = false;
            core.emit(new Output.StopTimer(timer));
        }
    }

    /** Returns the number of the duty cycle. */
    long cycle() {
        return cycle;
    }

    void beginCycle() {
        cycle++;
    }

    /**
     * Returns false if an input of the same duty cycle stopped the timer or started it again: the shell had not
     * received that output yet.
     */
    boolean fired(Timer timer) {
        if (!isRunning[timer.ordinal()] || startedInCycle[timer.ordinal()] == cycle) {
            return false;
        }
        isRunning[timer.ordinal()] = false;
        return true;
    }

    boolean isRunning(Timer timer) {
        return isRunning[timer.ordinal()];
    }
}
