package io.sealbook.peer;

import io.netty.buffer.ByteBuf;
import io.sealbook.peer.offload.IngressLink;

/** Takes the whole frames of one role. Event loop. */
interface FrameReceiver {
    /** @param frame becomes the receiver's */
    void onFrame(ByteBuf frame, IngressLink link);

    /** Tells that nothing more is to be read for now. */
    void onBurstEnd();
}
