package io.sealbook.node.port;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Set;

/**
 * The other members. Sending never waits and never fails: what cannot be sent is dropped, because the protocol repairs
 * a lost message by itself. Any thread.
 */
public interface Peers {
    /**
     * Sends a vote to one member.
     *
     * @param to another member, from 0
     * @param message kept until it is sent
     */
    void send(int to, Message message);

    /** Sends to all other members. */
    void broadcast(Message message);

    /**
     * Sends a batch.
     *
     * @param to member
     * @param batchId SHA-256 of the batch without its signature
     * @param signedBatch not to be changed any more
     */
    void sendPayload(int to, Digest batchId, byte[] signedBatch);

    /**
     * Sends a batch to all other members.
     *
     * @param batchId SHA-256 of the batch without its signature
     * @param signedBatch not to be changed any more
     */
    void broadcastPayload(Digest batchId, byte[] signedBatch);

    /**
     * Asks a member for batches.
     *
     * @param to member
     * @param ranges what is missing
     */
    void requestBatches(int to, List<BatchRange> ranges);

    /**
     * Asks a member for blocks; it may answer with fewer, or not at all.
     *
     * @param to member
     * @param from first sequence
     * @param count how many, 1 or more
     */
    void requestBlocks(int to, long from, int count);

    /** Returns the members that are connected. */
    Set<Integer> connected();

    /** Notes that votes for sequences up to and including this one are not needed any more. Agent thread. */
    void discardThrough(long stableSequence);
}
