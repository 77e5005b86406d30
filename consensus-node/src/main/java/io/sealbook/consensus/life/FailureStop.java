package io.sealbook.consensus.life;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a node whose core thread failed: it does not vote any more, and its process must end. A silent replica is
 * safe, a lying one is not. Any thread.
 */
public final class FailureStop implements Consumer<Throwable> {
    private static final Logger log = LoggerFactory.getLogger(FailureStop.class);

    private final Consumer<String> stopping;
    private final Consumer<Throwable> fatal;
    private final Runnable stop;
    private volatile boolean isClosing;

    /**
     * @param stopping is given the reason in words
     * @param fatal receives the reason; a storage failure has its own type
     * @param stop ends what speaks to the other members
     */
    public FailureStop(Consumer<String> stopping, Consumer<Throwable> fatal, Runnable stop) {
        this.stopping = stopping;
        this.fatal = fatal;
        this.stop = stop;
    }

    @Override
    public void accept(Throwable failure) {
        if (isClosing) {
            log.debug("failure while closing", failure);
            return;
        }
        Throwable reason = StorageFailures.isStorage(failure) ? StorageFailures.stopsVoting(failure) : failure;
        stopping.accept(reason.getMessage() == null ? reason.toString() : reason.getMessage());
        fatal.accept(reason);
        stop.run();
    }

    /** From now on a failure comes from closing files and sockets, and is logged only. */
    public void beginClosing() {
        isClosing = true;
    }

    public boolean isClosing() {
        return isClosing;
    }
}
