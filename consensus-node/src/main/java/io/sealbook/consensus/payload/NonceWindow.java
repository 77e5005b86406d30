package io.sealbook.consensus.payload;

import io.sealbook.pbft.Digest;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Long2LongHashMap;

/**
 * Which nonces each broker has used, by which batch, while that batch could still be ordered. Rebuilt from the archive at start, so
 * that a restart forgets no committed batch. Bounded for each broker.
 *
 * <p>Written by admission and by the committer, a few operations a batch: a lock is cheaper here than a queue between them.
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

    private static final long NONE = Long.MIN_VALUE;
    private static final long COMMITTED_BIT = 1;

    private final int noncesPerBrokerMax;
    private final Map<Integer, BrokerNonces> brokers = new HashMap<>();

    /** Nonce to the last block it may be in, and nonce to the first bytes of its batch id with the lowest bit saying committed. */
    private record BrokerNonces(Long2LongHashMap validUntil, Long2LongHashMap batch) {}

    public NonceWindow(int noncesPerBrokerMax) {
        this.noncesPerBrokerMax = noncesPerBrokerMax;
    }

    /** Tells how the nonce stands and, when it is free, takes it for this batch. */
    public synchronized Use take(int brokerId, long nonce, long validUntilBlock, Digest batchId) {
        BrokerNonces nonces = nonces(brokerId);
        long known = nonces.batch.get(nonce);
        if (known != NONE) {
            if ((known | COMMITTED_BIT) != (prefix(batchId) | COMMITTED_BIT)) {
                return Use.OTHER_BATCH;
            }
            return (known & COMMITTED_BIT) == 0 ? Use.SAME_BATCH : Use.COMMITTED;
        }
        if (nonces.batch.size() >= noncesPerBrokerMax) {
            return Use.FULL;
        }
        nonces.batch.put(nonce, prefix(batchId) & ~COMMITTED_BIT);
        nonces.validUntil.put(nonce, validUntilBlock);
        return Use.FREE;
    }

    /** Notes that a batch stands in a block; it displaces whatever claimed the nonce before. */
    public synchronized void committed(int brokerId, long nonce, long validUntilBlock, Digest batchId) {
        BrokerNonces nonces = nonces(brokerId);
        nonces.batch.put(nonce, prefix(batchId) | COMMITTED_BIT);
        nonces.validUntil.put(nonce, validUntilBlock);
    }

    /** Tells whether this very batch stands in a block. */
    public synchronized boolean isCommitted(int brokerId, long nonce, Digest batchId) {
        return nonces(brokerId).batch.get(nonce) == (prefix(batchId) | COMMITTED_BIT);
    }

    /** Gives back the nonce of a batch that will not be committed. */
    public synchronized void release(int brokerId, long nonce, Digest batchId) {
        BrokerNonces nonces = nonces(brokerId);
        if (nonces.batch.get(nonce) == (prefix(batchId) & ~COMMITTED_BIT)) {
            nonces.batch.remove(nonce);
            nonces.validUntil.remove(nonce);
        }
    }

    /** Forgets what can no longer be ordered after this block; costs one pass over the window. */
    public synchronized void forgetBefore(long sequence) {
        for (BrokerNonces nonces : brokers.values()) {
            var entries = nonces.validUntil.entrySet().iterator();
            while (entries.hasNext()) {
                entries.next();
                if (entries.getLongValue() <= sequence) {
                    nonces.batch.remove(entries.getLongKey());
                    entries.remove();
                }
            }
        }
    }

    public synchronized int count() {
        return brokers.values().stream().mapToInt(nonces -> nonces.batch.size()).sum();
    }

    private BrokerNonces nonces(int brokerId) {
        return brokers.computeIfAbsent(
                brokerId, id -> new BrokerNonces(new Long2LongHashMap(NONE), new Long2LongHashMap(NONE)));
    }

    private static long prefix(Digest batchId) {
        long prefix = ByteBuffer.wrap(batchId.bytes()).getLong();
        return prefix == NONE || prefix == NONE + 1 ? prefix + 2 : prefix;
    }
}
