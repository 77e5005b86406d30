package io.sealbook.node.session;

import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

/**
 * All sessions at one node. The number of sessions is bounded by the genesis file, the memory of each by its ring.
 *
 * <p>Written by admission and by the committer, a few operations per batch, and read by lanes and the gateway: a lock
 * is cheaper here than a queue between them.
 */
public final class Sessions {
    private final Long2ObjectHashMap<SessionRing> rings = new Long2ObjectHashMap<>();
    /** Of each broker, the sessions that have had a batch or are suspended. */
    private final Int2ObjectHashMap<BitSet> opened = new Int2ObjectHashMap<>();

    private final LongHashSet suspended = new LongHashSet();

    /**
     * Restores the head of a session from before a restart.
     *
     * @param sessionKey of a session that nothing is known of yet
     * @param number last delivered one
     * @param id of the batch of that number
     */
    public synchronized void restore(long sessionKey, long number, Digest id) {
        put(sessionKey, new SessionRing(number, id));
    }

    /**
     * Decides about a batch of a broker and holds it if it extends its session.
     *
     * @param sessionKey of the batch
     * @param position of the batch
     * @param batchId of the batch
     */
    public synchronized Offer offer(long sessionKey, BatchPosition position, Digest batchId) {
        return ring(sessionKey).offer(position, batchId, false);
    }

    /**
     * Decides about a batch that came out of order and holds it if its number is free: peers spread batches on several
     * connections.
     *
     * @param sessionKey of the batch
     * @param position of the batch
     * @param batchId of the batch
     */
    public synchronized Offer offerUnordered(long sessionKey, BatchPosition position, Digest batchId) {
        return ring(sessionKey).offer(position, batchId, true);
    }

    /**
     * Notes that a batch is in a block.
     *
     * @param sessionKey of the batch
     * @param number of the batch
     * @param batchId of the batch
     */
    public synchronized void delivered(long sessionKey, long number, Digest batchId) {
        ring(sessionKey).delivered(number, batchId);
    }

    /**
     * Releases the number of a batch that is not kept; does nothing if the batch does not hold it.
     *
     * @param sessionKey of the batch
     * @param number of the batch
     * @param batchId of the batch
     */
    public synchronized void release(long sessionKey, long number, Digest batchId) {
        ring(sessionKey).release(number, batchId);
    }

    /**
     * Returns whether exactly this batch is in a block, or its number is too old to be remembered.
     *
     * @param sessionKey of the batch
     * @param number of the batch
     * @param batchId of the batch
     */
    public synchronized boolean isDelivered(long sessionKey, long number, Digest batchId) {
        SessionRing ring = rings.get(sessionKey);
        return ring != null && ring.isDelivered(number, batchId);
    }

    /**
     * Returns the id of the batch that has a number; null if none is remembered.
     *
     * @param sessionKey of the session
     * @param number in it
     */
    public synchronized Digest holder(long sessionKey, long number) {
        SessionRing ring = rings.get(sessionKey);
        return ring == null ? null : ring.holder(number);
    }

    /** Takes no batch of a broker under this session any more. */
    public synchronized void suspend(long sessionKey) {
        suspended.add(sessionKey);
        note(sessionKey);
    }

    public synchronized boolean isSuspended(long sessionKey) {
        return suspended.contains(sessionKey);
    }

    public synchronized int suspendedCount() {
        return suspended.size();
    }

    /** Returns the suspended sessions, whether they have had a batch or not, in the order of their keys. */
    public synchronized List<Long> suspended() {
        List<Long> keys = new ArrayList<>(suspended);
        keys.sort(Long::compareUnsigned);
        return keys;
    }

    /** Returns how many sessions have had a batch. */
    public synchronized int count() {
        return rings.size();
    }

    /** Returns the head of a session; that of an empty one if it has had no batch. */
    public synchronized SessionHead head(long sessionKey) {
        SessionRing ring = rings.get(sessionKey);
        boolean isSuspended = suspended.contains(sessionKey);
        return ring == null ? SessionHead.empty(sessionKey, isSuspended) : ring.head(sessionKey, isSuspended);
    }

    /**
     * Returns the heads of a broker's sessions that have had a batch or are suspended, in the order of sessions. The
     * cost does not depend on other brokers: any broker may call it often, and admission waits for the lock.
     */
    public synchronized List<SessionHead> headsOf(int brokerId) {
        List<SessionHead> heads = new ArrayList<>();
        BitSet sessions = opened.get(brokerId);
        if (sessions != null) {
            sessions.stream().forEach(session -> heads.add(head(SessionKey.of(brokerId, session))));
        }
        return heads;
    }

    /** Returns the heads of all sessions that have had a batch, in the order of their keys. */
    public synchronized List<SessionHead> heads() {
        List<SessionHead> heads = new ArrayList<>();
        rings.forEachLong((key, ring) -> heads.add(ring.head(key, suspended.contains(key))));
        heads.sort((one, other) -> Long.compareUnsigned(one.sessionKey(), other.sessionKey()));
        return heads;
    }

    private SessionRing ring(long sessionKey) {
        SessionRing ring = rings.get(sessionKey);
        if (ring == null) {
            ring = new SessionRing(0, Digest.ZERO);
            put(sessionKey, ring);
        }
        return ring;
    }

    private void put(long sessionKey, SessionRing ring) {
        rings.put(sessionKey, ring);
        note(sessionKey);
    }

    private void note(long sessionKey) {
        opened.computeIfAbsent(SessionKey.brokerId(sessionKey), broker -> new BitSet())
                .set(SessionKey.session(sessionKey));
    }
}
