package io.sealbook.peer;

import io.sealbook.pbft.message.Message;
import java.util.function.Consumer;

/**
 * Votes for the agent: authenticated by their frame's code, and every signature in them verified. {@link #drain} and
 * {@link #discardThrough} belong to the agent thread; the others to any.
 */
public interface PeerInbox {
    /**
     * Hands out waiting messages in the order in which they came.
     *
     * @param limit of messages handed out in this call
     * @return how many messages were taken from the inbox
     */
    int drain(Consumer<Message> consumer, int limit);

    boolean isEmpty();

    /** Sets what to run, on a network thread, when messages have arrived; it must not block. */
    void setWakeup(Runnable wakeup);

    /** Tells that votes for sequence numbers up to and including this one are of no use any more. */
    void discardThrough(long stableSequence);
}
