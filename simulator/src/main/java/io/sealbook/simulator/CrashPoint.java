package io.sealbook.simulator;

/** Where a machine fails: at one of the next calls of its shell to disk, engine or network. */
final class CrashPoint {
    /** The machine has failed; nothing that its shell still does has an effect. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("the machine failed", null, false, false);
        }
    }

    private static final int NEVER = -1;

    private int callsLeft = NEVER;
    private boolean hasCrashed;

    /** Lets the machine fail at the call after {@code calls} further ones. */
    void arm(int calls) {
        callsLeft = calls;
    }

    void disarm() {
        callsLeft = NEVER;
    }

    boolean isArmed() {
        return callsLeft != NEVER;
    }

    /** Passes this place, or fails here. */
    void pass() {
        if (hasCrashed || callsLeft == 0) {
            hasCrashed = true;
            throw new Crash();
        }
        if (callsLeft > 0) {
            callsLeft--;
        }
    }

    boolean hasCrashed() {
        return hasCrashed;
    }

    void restart() {
        hasCrashed = false;
        callsLeft = NEVER;
    }
}
