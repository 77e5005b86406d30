package io.sealbook.peer.offload;

import java.util.concurrent.atomic.AtomicLong;

/** A bounded ring of message handles between one producing and one consuming thread. */
final class HandleRing {
    /** Instead of a handle: the ring is empty. */
    static final long EMPTY = -1;

    private final long[] handles;
    private final int mask;
    private final AtomicLong head = new AtomicLong();
    private final AtomicLong tail = new AtomicLong();

    /** @param capacity power of two */
    HandleRing(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("ring capacity is no power of two: " + capacity);
        }
        handles = new long[capacity];
        mask = capacity - 1;
    }

    /** Returns false if the ring is full. */
    boolean offer(long handle) {
        long at = tail.get();
        if (at - head.get() == handles.length) {
            return false;
        }
        handles[(int) at & mask] = handle;
        tail.setRelease(at + 1);
        return true;
    }

    long poll() {
        long at = head.get();
        if (at == tail.getAcquire()) {
            return EMPTY;
        }
        long handle = handles[(int) at & mask];
        head.setRelease(at + 1);
        return handle;
    }

    boolean isEmpty() {
        return head.get() == tail.get();
    }
}
