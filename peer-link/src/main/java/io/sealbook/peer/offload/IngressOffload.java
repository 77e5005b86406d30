package io.sealbook.peer.offload;

import io.netty.buffer.ByteBuf;
import io.sealbook.pbft.message.Message;
import java.util.function.Consumer;

/**
 * The way of a vote from the network to the agent. Real hardware could stand behind this interface: it takes frames and gives
 * messages that are authenticated, signature-checked and stored.
 */
public interface IngressOffload {
    /**
     * Takes a whole frame. Event loop.
     *
     * @param frame becomes the offload's
     */
    void onFrame(ByteBuf frame, IngressLink link);

    /** Tells that nothing more is to be read for now. Event loop. */
    void onBurstEnd();

    /**
     * Hands out messages in the order in which they came. Agent thread.
     *
     * @return how many were taken, those that turned out useless included
     */
    int drain(Consumer<Message> consumer, int limit);

    /** Any thread. */
    boolean isEmpty();

    /** Sets what to run on the event loop when there is something to drain. */
    void setWakeup(Runnable wakeup);

    /** Tells that votes for these sequence numbers are of no use any more. Agent thread. */
    void discardThrough(long stableSequence);

    /** Releases what waits; event loop and agent have stopped. */
    void close();
}
