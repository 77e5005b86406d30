package io.sealbook.client;

import io.sealbook.vocabulary.Digest;

/** Remembers up to which execution report a broker's program has come, so that a restarted one goes on from there. */
public interface Checkpointer extends AutoCloseable {

    /**
     * Notes whose reports are counted; called once, before a client connects. A checkpoint of another chain or broker
     * would make the client wait for reports that never come, or leave some out.
     *
     * @param genesis digest of the chain's genesis file
     * @param brokerId of the broker, unsigned
     * @throws IllegalArgumentException if the checkpoint belongs to another chain or broker
     */
    default void bind(Digest genesis, int brokerId) {}

    /** Returns the sequence of the last report that was handled, 0 when there is none. */
    long lastHandled();

    /**
     * Remembers a report as handled; called after each in sequence, on the dispatcher thread of the client. The one
     * that a listener handles while its client is closed may come late, after the next client has begun: on another
     * thread, and with a sequence that is not after the last one. Such a call must not set the checkpoint back. A
     * client with {@code reportsFromNow} and a new checkpoint calls it once with the last report before its first one,
     * on another thread.
     */
    void handled(long reportSequence);

    @Override
    void close();
}
