package io.sealbook.consensus.ingress;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.WaitStrategy;
import io.sealbook.node.admission.DecodeStage;
import io.sealbook.node.admission.IngressSlot;

/**
 * A ring stage before a single {@link CollectingLane}: it decodes its share of the slots. The collector sees progress
 * after {@value #GROUP_MAX} slots, not only when the ring runs dry. One thread.
 */
final class DecodeLane implements EventHandler<IngressSlot> {
    private static final int GROUP_MAX = 64;

    private final LaneShare share;
    private final DecodeStage stage;
    private final WaitStrategy waiters;
    private Sequence progress;

    /**
     * @param share its slots
     * @param stage of this lane alone
     * @param waiters is signalled when the collector can go on
     */
    DecodeLane(LaneShare share, DecodeStage stage, WaitStrategy waiters) {
        this.share = share;
        this.stage = stage;
        this.waiters = waiters;
    }

    @Override
    public void setSequenceCallback(Sequence sequence) {
        progress = sequence;
    }

    @Override
    public void onEvent(IngressSlot slot, long sequence, boolean endOfBatch) {
        if (share.has(sequence)) {
            stage.decode(slot);
        }
        if (endOfBatch || sequence % GROUP_MAX == 0) {
            progress.set(sequence);
            waiters.signalAllWhenBlocking();
        }
    }
}
