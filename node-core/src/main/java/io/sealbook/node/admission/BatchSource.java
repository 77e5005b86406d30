package io.sealbook.node.admission;

/** The sender of batches, which receives their verdicts. */
public interface BatchSource {
    /** Returns the peer that sent the batch, or {@link #BROKER}. */
    int peer();

    /**
     * Returns who sends, of those for whom {@link #peer} is the same: brokers of this node are served in turn. Equal
     * objects are one.
     */
    default Object holder() {
        return peer();
    }

    /** The batch came from a broker, through this node's own gateway. */
    int BROKER = -1;

    /**
     * Receives the verdict of a batch. Called once for each on a ring thread; must not block.
     *
     * @param correlationId with which the batch was offered
     * @param verdict durable, if it is ACCEPTED
     */
    void onVerdict(long correlationId, Verdict verdict);

    /** Notes that no further verdict is ready: the verdicts since the last call can be sent together. */
    void onVerdictsEnd();
}
