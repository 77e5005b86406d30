package io.sealbook.simulator.disk;

import java.io.IOException;

/** A full disk has refused to let a file grow, as ENOSPC of POSIX does. */
public final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final String FACT = "No space left on device";

    NoRoomException() {
        super(FACT);
    }

    /** Returns whether a full disk is what a message ends with. */
    public static boolean isToldBy(String message) {
        return message.endsWith(FACT);
    }

    /** Returns whether a full disk is at the root of a failure. */
    public static boolean isCauseOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof NoRoomException) {
                return true;
            }
        }
        return false;
    }
}
