package io.sealbook.peer;

import io.netty.buffer.ByteBuf;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.offload.IngressLink;
import io.sealbook.peer.offload.IngressOffload;
import java.util.function.Consumer;

/** The end of a vote connection: what comes goes to the offload, whose other end is the agent's inbox. */
record VoteReceiver(IngressOffload offload) implements FrameReceiver, PeerInbox {
    @Override
    public void onFrame(ByteBuf frame, IngressLink link) {
        offload.onFrame(frame, link);
    }

    @Override
    public void onBurstEnd() {
        offload.onBurstEnd();
    }

    @Override
    public int drain(Consumer<Message> consumer, int limit) {
        return offload.drain(consumer, limit);
    }

    @Override
    public boolean isEmpty() {
        return offload.isEmpty();
    }

    @Override
    public void setWakeup(Runnable wakeup) {
        offload.setWakeup(wakeup);
    }

    @Override
    public void discardThrough(long stableSequence) {
        offload.discardThrough(stableSequence);
    }
}
