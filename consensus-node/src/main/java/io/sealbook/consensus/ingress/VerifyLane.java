package io.sealbook.consensus.ingress;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.WaitStrategy;
import io.sealbook.consensus.payload.NonceWindow;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.pbft.Digest;
import io.sealbook.protocol.v1.RefusalReason;

/**
 * A ring stage: every k-th slot is decoded and its signature put into a batch; a full batch, or the end of what the ring has, is
 * verified at once. Later stages see progress after each batch, not only when the ring runs dry.
 */
final class VerifyLane implements EventHandler<IngressSlot> {
    private final int lane;
    private final int laneCount;
    private final BatchDecoder decoder;
    private final SignatureVerifier verifier;
    private final NonceWindow nonces;
    private final NodeMetrics metrics;
    private final SignatureBatch signatures;
    private final IngressSlot[] waiting;
    private final WaitStrategy waiters;
    private Sequence progress;

    /**
     * @param batchMax signatures verified together at most
     * @param waiters is signalled when the admission can go on
     */
    VerifyLane(
            int lane,
            int laneCount,
            int batchMax,
            BatchDecoder decoder,
            SignatureVerifier verifier,
            NonceWindow nonces,
            NodeMetrics metrics,
            WaitStrategy waiters) {
        this.lane = lane;
        this.laneCount = laneCount;
        this.signatures = new SignatureBatch(batchMax);
        this.waiting = new IngressSlot[batchMax];
        this.decoder = decoder;
        this.verifier = verifier;
        this.nonces = nonces;
        this.metrics = metrics;
        this.waiters = waiters;
    }

    @Override
    public void setSequenceCallback(Sequence sequence) {
        progress = sequence;
    }

    @Override
    public void onEvent(IngressSlot slot, long sequence, boolean endOfBatch) {
        if (sequence % laneCount == lane) {
            decoder.decode(slot);
            if (slot.refusal == null && !isLateCopy(slot)) {
                int index = signatures.add(
                        slot.key, slot.signedRegion, 0, slot.signedRegion.length, slot.bytes, slot.batchLength);
                waiting[index] = slot;
            }
        }
        if (endOfBatch || signatures.size() == waiting.length) {
            verify();
            progress.set(sequence);
            waiters.signalAllWhenBlocking();
        }
    }

    /** A peer's copy of a batch that stands in a block already: admission knows it, its signature need not be checked. */
    private boolean isLateCopy(IngressSlot slot) {
        return slot.isFromPeer() && nonces.isCommitted(slot.brokerId, slot.nonce, Digest.of(slot.batchId));
    }

    private void verify() {
        int count = signatures.size();
        if (count == 0) {
            return;
        }
        long started = System.nanoTime();
        verifier.verify(signatures);
        metrics.verified(count, System.nanoTime() - started);
        for (int i = 0; i < count; i++) {
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
