package io.sealbook.chaos.liar;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** The lie of the moment, if there is one. Any thread. */
final class PresentLie {
    private final LieFile file;
    private volatile Lie lie;
    private volatile boolean isTold;

    PresentLie(LieFile file) {
        this.file = file;
    }

    void set(Optional<Lie> present) {
        Lie next = present.orElse(null);
        if (next != lie) {
            isTold = false;
            lie = next;
        }
    }

    boolean is(Lie other) {
        return lie == other;
    }

    /** Notes that it was told. */
    void onTold() {
        if (!isTold) {
            isTold = true;
            try {
                file.told();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
