package io.sealbook.node.admission;

/** Where a batch came from and who is told what became of it. */
public interface BatchSource {
    /** Returns the peer that sent the batch, or {@link #BROKER}. */
    int peer();

    /** The batch came from a broker, through this node's own gateway. */
    int BROKER = -1;

    /** Takes the verdict of one batch; called once for each, from a ring thread, and must not block. */
    void onVerdict(long correlationId, Verdict verdict);

    /** Tells that no further verdict is at hand, so that those since the last call can be sent together. */
    void onVerdictsEnd();
}
