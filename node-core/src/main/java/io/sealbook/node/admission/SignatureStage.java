package io.sealbook.node.admission;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SessionKey;

/**
 * Collects the signatures of decoded batches, so that many are verified in one call. The approvals of an administrative
 * batch come after its signature: only a member can make a node verify those. One thread.
 */
public final class SignatureStage {
    private final SignatureVerifier verifier;
    private final SignatureBatch signatures;
    private final IngressSlot[] waiting;
    private final BatchView header = new BatchView();

    /**
     * @param batchMax signatures verified together at most
     * @param verifier shared by all stages
     */
    public SignatureStage(int batchMax, SignatureVerifier verifier) {
        this.signatures = new SignatureBatch(batchMax);
        this.waiting = new IngressSlot[batchMax];
        this.verifier = verifier;
    }

    /** Takes a decoded batch; if nothing speaks against it, its signature waits for {@link #verify}. */
    public void add(IngressSlot slot) {
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

    /** Returns the number of signatures that wait. */
    public int size() {
        return signatures.size();
    }

    /** Verifies what waits and refuses the batches whose signatures are not their brokers', or lack approvals. */
    public void verify() {
        verifier.verify(signatures);
        for (int i = 0; i < signatures.size(); i++) {
            IngressSlot slot = waiting[i];
            if (!signatures.isValid(i)) {
                slot.refuse(
                        RefusalReason.BAD_SIGNATURE,
                        "signature at offset " + slot.batchLength + " is not that of broker " + slot.brokerId);
            } else if (SessionKey.isAdministration(slot.sessionKey)) {
                header.wrap(slot.bytes);
                AdministrativeRules.checkApprovals(slot, header, slot.terms);
            }
            waiting[i] = null;
        }
        signatures.clear();
    }
}
