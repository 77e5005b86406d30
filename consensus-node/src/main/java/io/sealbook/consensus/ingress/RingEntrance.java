package io.sealbook.consensus.ingress;

import com.lmax.disruptor.RingBuffer;
import io.sealbook.node.admission.AdmissionLines;
import io.sealbook.node.admission.ArrivedBatch;
import io.sealbook.node.admission.IngressSlot;
import io.sealbook.vocabulary.BrokenInvariantException;

/**
 * Lets batches into the ring, those of each sender, and of each broker, in turn. Their order is settled then, so no
 * more than a bound is let in at a time; the others wait in their lines. Any thread.
 */
final class RingEntrance {
    private final AdmissionLines<ArrivedBatch> lines;
    private final RingBuffer<IngressSlot> ring;
    private final int insideMax;
    /** In the ring, and not decided. */
    private int inside;

    /**
     * @param lines before the door; not used by others
     * @param ring with twice as many slots as are let in: others come in while admission works on a group, whose slots
     *     are free when the last of them is decided
     */
    RingEntrance(AdmissionLines<ArrivedBatch> lines, RingBuffer<IngressSlot> ring) {
        this.lines = lines;
        this.ring = ring;
        this.insideMax = ring.getBufferSize() / 2;
    }

    /** Returns whether there is room for the batch. */
    synchronized boolean offer(ArrivedBatch batch) {
        boolean isTaken = lines.add(batch.source().peer(), batch.source().holder(), batch);
        letIn();
        return isTaken;
    }

    /** Notes that batches inside are decided. Thread of admission. */
    synchronized void onDecided(int count) {
        inside -= count;
        letIn();
    }

    private void letIn() {
        while (inside < insideMax && lines.size() > 0) {
            if (!ring.tryPublishEvent((slot, sequence, batch) -> slot.fill(batch), lines.next())) {
                throw new BrokenInvariantException("no slot for the " + inside + "th of " + insideMax + " batches");
            }
            inside++;
        }
    }

    /** Returns how many are not decided, before the door and inside. */
    synchronized int depth() {
        return lines.size() + inside;
    }
}
