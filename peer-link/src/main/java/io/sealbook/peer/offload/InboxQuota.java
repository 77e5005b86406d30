package io.sealbook.peer.offload;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * How much of each peer waits for the agent. At the limit nothing is read from that peer until half is gone, so one
 * peer that floods delays only itself.
 *
 * <p>A message weighs one, or one for each {@link #WEIGHT_BYTES} bytes of it. The event loop takes, the agent releases.
 */
final class InboxQuota {
    static final int WEIGHT_BYTES = 512;

    private final int limit;
    private final AtomicIntegerArray taken;
    private final AtomicReferenceArray<IngressLink> paused;

    InboxQuota(int nodeCount, int limit) {
        this.limit = limit;
        this.taken = new AtomicIntegerArray(nodeCount);
        this.paused = new AtomicReferenceArray<>(nodeCount);
    }

    static int weight(int length) {
        return Math.max(1, length / WEIGHT_BYTES);
    }

    void take(IngressLink link, int length) {
        int peer = link.peerId();
        if (taken.addAndGet(peer, weight(length)) < limit) {
            return;
        }
        if (paused.getAndSet(peer, link) == link) {
            return;
        }
        link.pause();
        if (paused.get(peer) == null) {
            // The agent gave everything back and resumed before the pause.
            link.resume();
            return;
        }
        // The agent may have given everything back before it could see the pause.
        resumeIfLow(peer);
    }

    void giveBack(int peer, int length) {
        taken.addAndGet(peer, -weight(length));
        resumeIfLow(peer);
    }

    private void resumeIfLow(int peer) {
        if (paused.get(peer) == null || taken.get(peer) > limit / 2) {
            return;
        }
        IngressLink link = paused.getAndSet(peer, null);
        if (link != null) {
            link.resume();
        }
    }
}
