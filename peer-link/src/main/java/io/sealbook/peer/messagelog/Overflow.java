package io.sealbook.peer.messagelog;

import io.sealbook.vocabulary.BrokenInvariantException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The heap side of the message log: messages whose bucket is full or which are wider than a slot, bounded in bytes.
 *
 * <p>Concurrent maps, because the storing and the releasing thread meet here; the steady path never comes this way.
 */
final class Overflow {
    private static final long HANDLE_FLAG = 1L << 62;

    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();
    private final ConcurrentHashMap<Long, Entry> byHandle = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Identity, Boolean> waiting = new ConcurrentHashMap<>();
    private volatile long total;

    Overflow(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    static boolean owns(long handle) {
        return handle >= HANDLE_FLAG;
    }

    boolean holds(MessageKey key, DirectBuffer digest, int digestOffset) {
        return !waiting.isEmpty() && waiting.containsKey(Identity.of(key, digest, digestOffset));
    }

    long store(MessageKey key, DirectBuffer digest, int digestOffset, DirectBuffer message, int offset, int length) {
        if (bytes.get() + length > bytesMax) {
            return MessageLog.REFUSED;
        }
        byte[] copy = new byte[length];
        message.getBytes(offset, copy);
        Identity identity = Identity.of(key, digest, digestOffset);
        long handle = HANDLE_FLAG | total;
        total = total + 1; // Written by the storing thread alone.
        bytes.addAndGet(length);
        waiting.put(identity, Boolean.TRUE);
        byHandle.put(handle, new Entry(identity, copy));
        return handle;
    }

    void read(long handle, MessageReader reader) {
        Entry entry = require(handle, byHandle.get(handle));
        reader.onMessage(entry.identity.key(), new UnsafeBuffer(entry.message), 0, entry.message.length);
    }

    void release(long handle) {
        Entry entry = require(handle, byHandle.remove(handle));
        waiting.remove(entry.identity);
        bytes.addAndGet(-entry.message.length);
    }

    int count() {
        return byHandle.size();
    }

    long total() {
        return total;
    }

    private static Entry require(long handle, Entry entry) {
        if (entry == null) {
            throw new BrokenInvariantException("message log: overflow " + (handle & ~HANDLE_FLAG) + " is released");
        }
        return entry;
    }

    /** What makes two messages the same: key and digest, the digest as four words. */
    private record Identity(MessageKey key, long d0, long d1, long d2, long d3) {
        static Identity of(MessageKey key, DirectBuffer digest, int at) {
            return new Identity(
                    key, digest.getLong(at), digest.getLong(at + 8), digest.getLong(at + 16), digest.getLong(at + 24));
        }
    }

    private record Entry(Identity identity, byte[] message) {}
}
