package io.sealbook.peer;

import io.netty.buffer.ByteBuf;
import io.sealbook.peer.offload.IngressLink;

/** Takes the whole frames of one role. Event loop. */
interface FrameReceiver {
    /** @param frame becomes the receiver's */
    void onFrame(ByteBuf frame, IngressLink link);

    /** Asks to read nothing more for now. */
    void onBurstEnd();
}
