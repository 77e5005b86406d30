package io.sealbook.node.admission;

import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedRegion;

/** One entry of the ring: the received bytes and, once a lane has decoded them, the fields that later stages need. */
public final class IngressSlot {
    BatchSource source;
    long correlationId;
    byte[] bytes;
    long receivedNanos;

    /** Decoded by a lane. */
    int batchLength;

    int orderCount;
    int brokerId;
    long sessionKey;
    BatchPosition position;
    long validUntilBlock;
    Digest batchId;
    VerificationKey key;
    final byte[] signedRegion = new byte[SignedRegion.LENGTH];

    /** Is in a block already and is not wanted: its signature is not checked, and it must not be stored. */
    boolean isLateCopy;

    /** Null while nothing speaks against the batch. */
    RefusalReason refusal;

    String detail;

    /**
     * Whether the refusal depends on the membership at present: what the node holds or has delivered already is not
     * refused for it.
     */
    boolean isPresentOnly;

    /**
     * Whether the batch is refused for what the next block may change: it names a broker or a key that this node does
     * not know, or is a member's second transaction.
     */
    boolean isEarly;

    /** By which the batch was judged. */
    DoorTerms terms;

    /** Of its broker; null if the batch is administrative, or its sender is not known. */
    DoorRate rate;

    /** Hint for the sender of a batch that is refused for its rate; else 0. */
    int retryAfterMs;

    /** Puts a received batch into the slot. */
    public void fill(ArrivedBatch batch) {
        source = batch.source();
        correlationId = batch.correlationId();
        bytes = batch.bytes();
        batchId = batch.knownBatchId();
        receivedNanos = batch.receivedNanos();
    }

    void refuse(RefusalReason reason, String detail) {
        this.refusal = reason;
        this.detail = detail;
    }

    /** Refuses the batch for a rule that may be another one after the next block. */
    void refuseAtPresent(RefusalReason reason, String detail) {
        refuse(reason, detail);
        isPresentOnly = true;
    }

    void withdrawRefusal() {
        refusal = null;
        detail = null;
        isPresentOnly = false;
        retryAfterMs = 0;
    }

    /** Refuses the batch because its key is not known here. */
    void refuseUnknown(RefusalReason reason, String detail) {
        refuse(reason, detail);
        isEarly = true;
    }

    boolean isFromPeer() {
        return source.peer() != BatchSource.BROKER;
    }

    /** Drops references, so that the ring keeps no batch alive. */
    void clear() {
        source = null;
        bytes = null;
        batchId = null;
        position = null;
        key = null;
        terms = null;
        rate = null;
        isEarly = false;
        isLateCopy = false;
        withdrawRefusal();
    }
}
