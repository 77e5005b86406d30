package io.sealbook.pbft.message;

/**
 * A message between replicas: an immutable value.
 *
 * <p>The shell hands a message to the core only after it has verified <em>every</em> signature that
 * {@link #forEachSignature} names. A signed message may come from another link than its sender's: replicas relay
 * PRE-PREPARE, SUSPICION, NEW-VIEW and ARRIVALS to those who lack them. An unsigned one must have the link's peer as
 * its sender, because only the frame's authentication code vouches for it.
 */
public sealed interface Message
        permits PrePrepare,
                Prepare,
                Commit,
                Checkpoint,
                CheckpointProof,
                Suspicion,
                ViewChange,
                NewView,
                BatchAck,
                Arrivals,
                Status {
    /** Returns the replica that wrote the message. */
    int sender();

    /** Returns whether the sender's own signature covers the message, so that any replica may relay it. */
    default boolean isSigned() {
        return false;
    }

    /**
     * Names every signature in the message, nested ones too.
     *
     * @param epoch the receiver's own: a signature for another chain or epoch then fails
     * @param sink called once per signature, in a fixed order; by default there is none
     */
    default void forEachSignature(Epoch epoch, SignatureSink sink) {}
}
