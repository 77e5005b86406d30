package io.sealbook.node.admission;

import io.sealbook.node.payload.Payload;

/** Who hears of a batch that has been verified and stored. Called by the admission thread in ring order. */
public interface AdmittedBatches {
    /** A broker's batch is stored: its peers may have it. It may be lost with the process still. */
    void onStored(Payload payload);

    /**
     * A batch is durable: agreement may acknowledge it and vote for it. May wait for room, which fills the ring and so
     * reaches the brokers.
     */
    void onDurable(Payload payload);
}
