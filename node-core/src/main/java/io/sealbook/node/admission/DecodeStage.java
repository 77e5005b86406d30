package io.sealbook.node.admission;

import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.protocol.v1.RefusalReason;

/** Decodes batches and checks all but their signatures. One for each thread that decodes. */
public final class DecodeStage {
    private final BatchDecoder decoder;
    private final PayloadStore store;
    private final Sessions sessions;

    /**
     * @param decoder of this stage alone
     * @param store holds which batches proposals name
     * @param sessions holds which batches are in a block already
     */
    public DecodeStage(BatchDecoder decoder, PayloadStore store, Sessions sessions) {
        this.decoder = decoder;
        this.store = store;
        this.sessions = sessions;
    }

    /** Decodes a batch into its slot and notes whether its signature must be verified. */
    public void decode(IngressSlot slot) {
        decoder.decode(slot);
        if (slot.isPresentOnly && (isHere(slot) || isNamed(slot))) {
            slot.withdrawRefusal();
        }
        slot.isLateCopy = slot.refusal == null && isLateCopy(slot);
    }

    /**
     * A broker sends a batch again if it has lost the answer: what was taken before the terms changed is not refused
     * now.
     */
    private boolean isHere(IngressSlot slot) {
        return slot.batchId.equals(sessions.holder(slot.sessionKey, slot.position.number()));
    }

    /** Agreement waits for it: its rate does not matter any more. */
    private boolean isNamed(IngressSlot slot) {
        return slot.refusal == RefusalReason.RATE_QUOTA && store.isWanted(slot.batchId);
    }

    /**
     * A peer's copy of a batch that is in a block already and that agreement does not ask for: its signature need not
     * be checked.
     */
    private boolean isLateCopy(IngressSlot slot) {
        if (!slot.isFromPeer()) {
            return false;
        }
        return sessions.isDelivered(slot.sessionKey, slot.position.number(), slot.batchId)
                && !store.isWanted(slot.batchId);
    }
}
