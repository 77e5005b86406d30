package io.sealbook.node.payload;

import io.sealbook.vocabulary.Digest;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Which numbers of each session are used, by which batch, while that batch could still be ordered. Rebuilt from the
 * archive at start, so that a restart forgets no committed batch. Bounded for each session.
 *
 * <p>Written by admission and by the committer, a few operations per batch: a lock is cheaper here than a queue between
 * them.
 */
public final class NonceWindow {
    /** What is known about a nonce. */
    public enum Use {
        /** Not used in the window. */
        FREE,
        /** By this very batch, which is not committed yet. */
        SAME_BATCH,
        /** By this very batch, which is committed. */
        COMMITTED,
        /** By another batch. */
        OTHER_BATCH,
        /** The broker has too many batches in the window. */
        FULL
    }

    /** A batch is identified by the first bytes of its id; their lowest bit marks a committed one. */
    private static final long COMMITTED_BIT = 1;

    private final int noncesPerBrokerMax;
    private final long hashKey;
    private final Long2ObjectHashMap<NonceTable> sessions = new Long2ObjectHashMap<>();
    private long forgottenUntil;

    /**
     * @param noncesPerBrokerMax limit of each broker
     * @param hashKey any number; a random one, so that no broker can look for nonces that collide
     */
    public NonceWindow(int noncesPerBrokerMax, long hashKey) {
        this.noncesPerBrokerMax = noncesPerBrokerMax;
        this.hashKey = hashKey;
    }

    /**
     * Returns the use of a nonce and, if it is free, takes it for this batch.
     *
     * @param sessionKey of all brokers' sessions
     * @param number of the batch in it
     * @param validUntilBlock last block that may hold the batch
     * @param batchId of the batch that uses the nonce
     */
    public synchronized Use take(long sessionKey, long number, long validUntilBlock, Digest batchId) {
        NonceTable nonces = nonces(sessionKey);
        int at = nonces.find(number);
        if (nonces.isTaken(at)) {
            if (!isOf(batchId, nonces.batch(at))) {
                return Use.OTHER_BATCH;
            }
            return isCommitted(nonces.batch(at)) ? Use.COMMITTED : Use.SAME_BATCH;
        }
        if (nonces.isFull(noncesPerBrokerMax)) {
            return Use.FULL;
        }
        nonces.put(number, validUntilBlock, batchId.leadingLong() & ~COMMITTED_BIT);
        return Use.FREE;
    }

    /**
     * Notes that a batch is in a block. It replaces a batch that took the nonce before.
     *
     * @param sessionKey of all brokers' sessions
     * @param number of the batch in it
     * @param validUntilBlock last block that may hold the batch
     * @param batchId of the batch
     */
    public synchronized void committed(long sessionKey, long number, long validUntilBlock, Digest batchId) {
        nonces(sessionKey).put(number, validUntilBlock, batchId.leadingLong() | COMMITTED_BIT);
    }

    /**
     * Returns whether exactly this batch is in a block.
     *
     * @param sessionKey of all brokers' sessions
     * @param number of the batch in it
     * @param batchId of the batch
     */
    public synchronized boolean isCommitted(long sessionKey, long number, Digest batchId) {
        NonceTable nonces = nonces(sessionKey);
        int at = nonces.find(number);
        return nonces.isTaken(at) && isOf(batchId, nonces.batch(at)) && isCommitted(nonces.batch(at));
    }

    /**
     * Releases the nonce of a batch that will not be committed; does nothing if the batch does not hold it.
     *
     * @param sessionKey of all brokers' sessions
     * @param number of the batch in it
     * @param batchId of the batch
     */
    public synchronized void release(long sessionKey, long number, Digest batchId) {
        NonceTable nonces = nonces(sessionKey);
        int at = nonces.find(number);
        if (nonces.isTaken(at) && isOf(batchId, nonces.batch(at)) && !isCommitted(nonces.batch(at))) {
            nonces.release(at);
        }
    }

    /** Forgets what can no longer be ordered after this block; costs the same however much that is. */
    public synchronized void forgetBefore(long sequence) {
        forgottenUntil = Math.max(forgottenUntil, sequence);
        sessions.values().forEach(nonces -> nonces.forgetUntil(forgottenUntil));
    }

    /** Returns how many nonces take up room: those that are taken, and forgotten ones until their room is wanted. */
    public synchronized int heldCount() {
        return sessions.values().stream().mapToInt(NonceTable::heldCount).sum();
    }

    private NonceTable nonces(long sessionKey) {
        NonceTable nonces = sessions.get(sessionKey);
        if (nonces == null) {
            nonces = new NonceTable(hashKey);
            nonces.forgetUntil(forgottenUntil);
            sessions.put(sessionKey, nonces);
        }
        return nonces;
    }

    private static boolean isOf(Digest batchId, long batch) {
        return (batchId.leadingLong() ^ batch | COMMITTED_BIT) == COMMITTED_BIT;
    }

    private static boolean isCommitted(long batch) {
        return (batch & COMMITTED_BIT) != 0;
    }
}
