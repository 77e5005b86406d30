package io.sealbook.peer.offload;

import io.netty.buffer.ByteBuf;
import io.sealbook.pbft.message.Message;
import java.util.function.Consumer;

/**
 * The way of a vote from the network to the agent: takes frames and returns messages that are authenticated, stored,
 * and whose signatures are verified. Hardware could implement it.
 */
public interface IngressOffload {
    /**
     * Takes a whole frame. Event loop.
     *
     * @param frame becomes the offload's
     * @param link connection on which it arrived
     */
    void onFrame(ByteBuf frame, IngressLink link);

    /** Notes that the connections have no more bytes to read at present. Event loop. */
    void onBurstEnd();

    /**
     * Passes messages on in the order of their arrival. Agent thread.
     *
     * @param consumer called for each message on the caller's thread
     * @param limit number of messages per call, 1 or more
     * @return number of messages removed, including those that were useless
     */
    int drain(Consumer<Message> consumer, int limit);

    /** Any thread. */
    boolean isEmpty();

    /** Sets what to run on the event loop when there is something to drain. */
    void setWakeup(Runnable wakeup);

    /** Notes that votes for sequences up to and including this one are not needed any more. Agent thread. */
    void discardThrough(long stableSequence);

    /** Releases what waits; event loop and agent have stopped. */
    void close();
}
