package io.sealbook.matching;

import java.io.IOException;

/** The bytes are no whole, undamaged snapshot of this market; the message names the fact. */
public final class SnapshotException extends IOException {
    private static final long serialVersionUID = 1L;

    SnapshotException(String fact) {
        super("snapshot: " + fact);
    }

    /** Throws if the condition does not hold; for a check that runs once, not once per order. */
    static void unless(boolean condition, String fact) throws SnapshotException {
        if (!condition) {
            throw new SnapshotException(fact);
        }
    }
}
