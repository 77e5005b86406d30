package io.sealbook.node.agent;

import io.sealbook.pbft.message.Message;
import io.sealbook.vocabulary.Digest;
import java.util.List;

/** How agreement speaks to the other members; nothing here waits. */
public interface Peers {
    void send(int to, Message message);

    void broadcast(Message message);

    /** Asks the first of the holders that is connected for these batches. */
    void requestBatches(List<Digest> batchIds, List<Integer> holders);

    /** Tells that votes for sequence numbers up to and including this one are of no use any more. */
    void discardThrough(long stableSequence);
}
