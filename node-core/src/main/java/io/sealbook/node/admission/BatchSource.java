package io.sealbook.node.admission;

/** The sender of batches, which receives their verdicts. */
public interface BatchSource {
    /** Returns the peer that sent the batch, or {@link #BROKER}. */
    int peer();

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
