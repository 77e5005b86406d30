package io.sealbook.node.admission;

import io.sealbook.node.payload.Payload;

/** Who hears of a batch that has been verified and stored: agreement, and the peers when it came from a broker. */
@FunctionalInterface
public interface AdmittedBatches {
    /**
     * Called by the admission thread in ring order; may wait for room, which fills the ring and so reaches the brokers.
     *
     * @param isFromBroker true when this node took it and must spread it
     */
    void onAdmitted(Payload payload, boolean isFromBroker);
}
