package io.sealbook.engine;

import io.sealbook.facts.Facts;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;

/**
 * Watches the reports that a reader returns: while it returns later ones, it must not hold the first any more. Else its
 * heap grows with the reports of a block. One thread.
 */
public final class ReleaseWatch implements Consumer<byte[]> {
    private final int checkedAt;
    private WeakReference<byte[]> first;
    private int count;

    /** @param checkedAt number of reports after which the first must be released */
    public ReleaseWatch(int checkedAt) {
        this.checkedAt = checkedAt;
    }

    /** Returns whether the first report was released while the reader went on. */
    public boolean isPassed() {
        return count >= checkedAt;
    }

    @Override
    public void accept(byte[] report) {
        count++;
        if (count == 1) {
            first = new WeakReference<>(report);
        }
        if (count == checkedAt) {
            awaitRelease();
        }
    }

    private void awaitRelease() {
        try {
            Facts.await("the first report is released", () -> {
                System.gc();
                return first.refersTo(null);
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
