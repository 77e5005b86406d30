package io.sealbook.node.admission;

import io.sealbook.membership.Membership;

/**
 * The brokers and instruments at present: those of the genesis file, as the blocks so far have changed them. Written by
 * the committer, read by any thread.
 */
public final class BrokerRegistry {
    private volatile DoorTerms present;

    /** @param membership at present */
    public BrokerRegistry(Membership membership) {
        present = new DoorTerms(membership);
    }

    /** Replaces the terms. Batches that a lane has begun to decode are judged by those before. */
    public void become(Membership membership) {
        present = new DoorTerms(membership, present);
    }

    DoorTerms present() {
        return present;
    }
}
