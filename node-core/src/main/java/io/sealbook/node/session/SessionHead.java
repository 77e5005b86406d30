package io.sealbook.node.session;

import io.sealbook.vocabulary.Digest;

/**
 * How far a session has come at one node.
 *
 * @param sessionKey of all brokers' sessions
 * @param held last number up to which the node holds or has delivered every batch; 0 before the first
 * @param heldId id of that batch; zeros before the first
 * @param delivered last number up to which every batch is in a block; at most {@code held}
 * @param deliveredId id of that batch; zeros before the first
 * @param isSuspended whether the node takes no batch of the session, because its broker signed two under one number
 */
public record SessionHead(
        long sessionKey, long held, Digest heldId, long delivered, Digest deliveredId, boolean isSuspended) {
    /**
     * Returns the head of a session that has had no batch.
     *
     * @param sessionKey of the session
     * @param isSuspended whether the node takes no batch of it
     */
    static SessionHead empty(long sessionKey, boolean isSuspended) {
        return new SessionHead(sessionKey, 0, Digest.ZERO, 0, Digest.ZERO, isSuspended);
    }

    /** Returns the number of the batch that the node takes next. */
    public long next() {
        return held + 1;
    }
}
