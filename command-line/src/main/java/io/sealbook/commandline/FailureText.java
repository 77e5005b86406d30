package io.sealbook.commandline;

import io.sealbook.lock.FailureReason;

/** A failure in one line for an operator. Any thread. */
public final class FailureText {
    private FailureText() {}

    /** Returns the message of a failure, with the reason in words if the message is a path. */
    public static String of(Throwable failure) {
        return FailureReason.of(failure);
    }
}
