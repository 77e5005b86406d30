package io.sealbook.node.payload;

import io.sealbook.vocabulary.Digest;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;

/**
 * Batches by id, from admission until their block is in the archive. Bounded in bytes, and each origin has its share,
 * so that one faulty member cannot fill the memory of all. A batch that a proposal names is always taken: what was
 * proposed must be obtainable. A batch that a member only acknowledged is taken within the share. Any thread.
 */
public final class PayloadStore {
    /** What became of an attempt to store. */
    public enum Outcome {
        STORED,
        PRESENT,
        FULL
    }

    private static final int OVERHEAD_BYTES = 200;
    /** Beyond it everything wanted is forgotten; agreement asks again for what it still needs. */
    private static final int WANTED_MAX = 65_536;

    private final Map<Digest, Payload> payloads = new ConcurrentHashMap<>();
    private final Set<Digest> wanted = ConcurrentHashMap.newKeySet();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLongArray bytesByOrigin;
    private final long bytesMax;
    private final long bytesPerOriginMax;
    private final int ownId;
    private volatile Consumer<Digest> removals = batchId -> {};

    /**
     * @param bytesMax limit of the whole store
     * @param originCount number of members
     * @param ownId this member, whose own gateway gets its exact share; the others get twice of it, because they free
     *     what is delivered a little before or after this node
     */
    public PayloadStore(long bytesMax, int originCount, int ownId) {
        this.bytesMax = bytesMax;
        this.bytesPerOriginMax = bytesMax / originCount;
        this.bytesByOrigin = new AtomicLongArray(originCount);
        this.ownId = ownId;
    }

    /** Sets who hears of each batch before it is forgotten, on the thread that calls {@link #remove}. */
    public void onRemove(Consumer<Digest> listener) {
        removals = listener;
    }

    /** Takes a batch that was taken before a restart, whatever the limits are. */
    public void restore(Payload payload) {
        if (payloads.putIfAbsent(payload.batchId(), payload) == null) {
            count(payload);
        }
    }

    public Outcome put(Payload payload) {
        long size = size(payload);
        long originMax = payload.origin() == ownId ? bytesPerOriginMax : 2 * bytesPerOriginMax;
        boolean fits = bytes.get() + size <= bytesMax && bytesByOrigin.get(share(payload)) + size <= originMax;
        if (!fits && !wanted.contains(payload.batchId())) {
            return payloads.containsKey(payload.batchId()) ? Outcome.PRESENT : Outcome.FULL;
        }
        if (payloads.putIfAbsent(payload.batchId(), payload) != null) {
            return Outcome.PRESENT;
        }
        wanted.remove(payload.batchId());
        count(payload);
        return Outcome.STORED;
    }

    private void count(Payload payload) {
        bytes.addAndGet(size(payload));
        bytesByOrigin.addAndGet(share(payload), size(payload));
    }

    /** Returns whose share a payload takes: this member's, if its origin is no member any more. */
    private int share(Payload payload) {
        return payload.origin() < bytesByOrigin.length() ? payload.origin() : ownId;
    }

    /** Returns the payload, or null when it is not here. */
    public Payload get(Digest batchId) {
        return payloads.get(batchId);
    }

    public boolean contains(Digest batchId) {
        return payloads.containsKey(batchId);
    }

    /** Forgets a batch; returns it, or null when it was not here. */
    public Payload remove(Digest batchId) {
        removals.accept(batchId);
        wanted.remove(batchId);
        Payload payload = payloads.remove(batchId);
        if (payload != null) {
            bytes.addAndGet(-size(payload));
            bytesByOrigin.addAndGet(share(payload), -size(payload));
        }
        return payload;
    }

    /** Notes that proposals name these batches: they are taken even if the store is full. */
    public void want(Collection<Digest> batchIds) {
        if (wanted.size() + batchIds.size() > WANTED_MAX) {
            wanted.clear();
        }
        for (Digest batchId : batchIds) {
            if (!payloads.containsKey(batchId)) {
                wanted.add(batchId);
            }
        }
    }

    public boolean isWanted(Digest batchId) {
        return wanted.contains(batchId);
    }

    /** Forgets what was wanted: after a transfer the names may never come. */
    public void wantNothing() {
        wanted.clear();
    }

    public int count() {
        return payloads.size();
    }

    public long bytes() {
        return bytes.get();
    }

    private static long size(Payload payload) {
        return payload.signedBatch().length + OVERHEAD_BYTES;
    }
}
