package io.sealbook.peer;

import io.sealbook.pbft.message.Message;
import java.util.function.Consumer;

/**
 * Votes for the agent: authenticated by their frame's code, and every signature in them verified. {@link #drain} and
 * {@link #discardThrough} belong to the agent thread; the others to any.
 */
public interface PeerInbox {
    /**
     * Passes waiting messages on in the order of their arrival.
     *
     * @param consumer called for each message on the caller's thread
     * @param limit number of messages per call, 1 or more
     * @return number of messages removed from the inbox, including those that were useless; 0 if it was empty
     */
    int drain(Consumer<Message> consumer, int limit);

    boolean isEmpty();

    /** Sets what to run, on a network thread, when messages have arrived; it must not block. */
    void setWakeup(Runnable wakeup);

    /** Notes that votes for sequences up to and including this one are not needed any more. */
    void discardThrough(long stableSequence);
}
