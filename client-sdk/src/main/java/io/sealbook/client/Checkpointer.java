package io.sealbook.client;

/** Remembers up to which execution report a broker's program has come, so that a restarted one goes on from there. */
public interface Checkpointer extends AutoCloseable {

    /** Returns the sequence of the last report that was handled, 0 when there is none. */
    long lastHandled();

    /** Remembers a report as handled; called after each in sequence, on the dispatcher thread. */
    void handled(long reportSequence);

    @Override
    void close();
}
