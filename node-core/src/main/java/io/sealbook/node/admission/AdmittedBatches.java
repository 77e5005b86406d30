package io.sealbook.node.admission;

import io.sealbook.node.payload.Payload;
import io.sealbook.node.session.Equivocation;

/** Receives each batch that is verified and stored. Called by the admission thread in ring order. */
public interface AdmittedBatches {
    /** A broker's batch is stored and may be sent to peers. The end of the process would still lose it. */
    void onStored(Payload payload);

    /**
     * A batch is durable: agreement may acknowledge it and vote for it. May wait for room; the ring then fills, and
     * brokers are refused with BUSY.
     */
    void onDurable(Payload payload);

    /**
     * A broker signed two batches under one number. The other members must get both, so that they find the same, and
     * agreement must not wait for batches of the session, of which no other member may hold the same version.
     *
     * @param evidence both batches
     */
    void onEquivocation(Equivocation evidence);
}
