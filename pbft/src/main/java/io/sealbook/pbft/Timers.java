package io.sealbook.pbft;

/** Which timers run, as far as the replica knows, so that each is started and stopped once. */
final class Timers {
    private final Core core;
    private final boolean[] isRunning = new boolean[Timer.values().length];
    /** The BATCH timer fired and no proposal has been made since. */
    boolean hasBatchWaited;

    Timers(Core core) {
        this.core = core;
    }

    void start(Timer timer, long delayNs) {
        isRunning[timer.ordinal()] = true;
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

    /** Returns false for a timer that was stopped before the shell said that it fired. */
    boolean fired(Timer timer) {
        boolean wasRunning = isRunning[timer.ordinal()];
        isRunning[timer.ordinal()] = false;
        return wasRunning;
    }

    boolean isRunning(Timer timer) {
        return isRunning[timer.ordinal()];
    }
}
