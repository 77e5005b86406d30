package io.sealbook.node.admission;

import io.sealbook.protocol.v1.Genesis;

/**
 * The brokers and instruments at present: those of the genesis file, as the blocks so far have changed them. Written by
 * the committer, read by any thread.
 */
public final class BrokerRegistry {
    private volatile DoorTerms present;

    /** @param genesis from which the chain starts */
    public BrokerRegistry(Genesis genesis) {
        present = new DoorTerms(genesis);
    }

    /** Replaces the terms. Batches that a lane has begun to decode are judged by those before. */
    public void become(Genesis terms) {
        present = new DoorTerms(terms);
    }

    DoorTerms present() {
        return present;
    }
}
