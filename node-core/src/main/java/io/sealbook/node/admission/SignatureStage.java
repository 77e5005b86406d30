package io.sealbook.node.admission;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.payload.NonceWindow;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.protocol.v1.RefusalReason;

/**
 * Decodes batches and collects their signatures, so that many are verified in one call. One for each lane; one thread.
 */
public final class SignatureStage {
    private final BatchDecoder decoder;
    private final SignatureVerifier verifier;
    private final PayloadStore store;
    private final NonceWindow nonces;
    private final SignatureBatch signatures;
    private final IngressSlot[] waiting;

    /**
     * @param batchMax signatures verified together at most
     * @param decoder this stage's own
     * @param verifier shared by all lanes
     * @param store holds which batches proposals name
     * @param nonces holds which batches be in a block already
     */
    public SignatureStage(
            int batchMax, BatchDecoder decoder, SignatureVerifier verifier, PayloadStore store, NonceWindow nonces) {
        this.signatures = new SignatureBatch(batchMax);
        this.waiting = new IngressSlot[batchMax];
        this.decoder = decoder;
        this.verifier = verifier;
        this.store = store;
        this.nonces = nonces;
    }

    /** Decodes a batch; if nothing speaks against it, its signature waits for {@link #verify}. */
    public void add(IngressSlot slot) {
        decoder.decode(slot);
        slot.isLateCopy = slot.refusal == null && isLateCopy(slot);
        if (slot.refusal == null && !slot.isLateCopy) {
            int index = signatures.add(
                    slot.key, slot.signedRegion, 0, slot.signedRegion.length, slot.bytes, slot.batchLength);
            waiting[index] = slot;
        }
    }

    /** Returns whether {@link #verify} must be called before the next batch. */
    public boolean isFull() {
        return signatures.size() == waiting.length;
    }

    /** Returns how many signatures wait. */
    public int size() {
        return signatures.size();
    }

    /**
     * A peer's copy of a batch that is in a block already and that agreement does not ask for: its signature need not
     * be checked.
     */
    private boolean isLateCopy(IngressSlot slot) {
        if (!slot.isFromPeer()) {
            return false;
        }
        return nonces.isCommitted(slot.brokerId, slot.nonce, slot.batchId) && !store.isWanted(slot.batchId);
    }

    /** Verifies what waits and refuses the batches whose signatures are not their brokers'. */
    public void verify() {
        verifier.verify(signatures);
        for (int i = 0; i < signatures.size(); i++) {
            if (!signatures.isValid(i)) {
                IngressSlot slot = waiting[i];
                slot.refuse(
                        RefusalReason.BAD_SIGNATURE,
                        "signature at offset " + slot.batchLength + " is not that of broker " + slot.brokerId);
            }
            waiting[i] = null;
        }
        signatures.clear();
    }
}
