package io.sealbook.consensus.life;

import io.sealbook.vocabulary.OperatingFailureException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a node has opened so far. It is closed in the reverse order, because a part may use those that were opened
 * before it, and all of it, whatever one of them throws. One thread at a time.
 */
public final class OpenParts implements AutoCloseable {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Has a part closed before all that were added earlier; returns it. */
    public <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /** Closes every part; what they throw is added to the failure for which they are closed. */
    public void closeAfter(Throwable failure) {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Throwable e) {
                failure.addSuppressed(e);
            }
        }
    }

    /**
     * Closes every part. Nothing is left to do for a second call.
     *
     * @throws OperatingFailureException if any of them threw; it holds what they threw, suppressed
     */
    @Override
    public void close() {
        OperatingFailureException failure = new OperatingFailureException("node: a part was not closed properly");
        closeAfter(failure);
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }
}
