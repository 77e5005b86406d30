package io.sealbook.consensus.ingress;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.WaitStrategy;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.admission.IngressSlot;
import io.sealbook.node.admission.SignatureStage;

/**
 * A ring stage: every k-th slot is decoded and its signature put into a batch; a full batch, or the end of what the ring has, is
 * verified at once. Later stages see progress after each batch, not only when the ring runs dry.
 */
final class VerifyLane implements EventHandler<IngressSlot> {
    private final int lane;
    private final int laneCount;
    private final SignatureStage stage;
    private final NodeMetrics metrics;
    private final WaitStrategy waiters;
    private Sequence progress;

    /**
     * @param lane from 0
     * @param laneCount how many share the ring
     * @param stage this lane's own
     * @param metrics counts verified signatures
     * @param waiters is signalled when the admission can go on
     */
    VerifyLane(int lane, int laneCount, SignatureStage stage, NodeMetrics metrics, WaitStrategy waiters) {
        this.lane = lane;
        this.laneCount = laneCount;
        this.stage = stage;
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
            stage.add(slot);
        }
        if (endOfBatch || stage.isFull()) {
            verify();
            progress.set(sequence);
            waiters.signalAllWhenBlocking();
        }
    }

    private void verify() {
        int count = stage.size();
        if (count == 0) {
            return;
        }
        long started = System.nanoTime();
        stage.verify();
        metrics.verified(count, System.nanoTime() - started);
    }
}
