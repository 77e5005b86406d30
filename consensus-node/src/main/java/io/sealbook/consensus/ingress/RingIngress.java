package io.sealbook.consensus.ingress;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.ExceptionHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.TimeoutException;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.EventHandlerGroup;
import com.lmax.disruptor.dsl.EventProcessorFactory;
import com.lmax.disruptor.dsl.ProducerType;
import io.sealbook.consensus.config.RingWait;
import io.sealbook.crypto.BatchPreference;
import io.sealbook.node.admission.Admission;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.IngressSlot;
import io.sealbook.node.admission.SignatureStage;
import io.sealbook.vocabulary.Digest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A ring between the threads that receive batches, those that verify them, and the one that admits them. */
public final class RingIngress implements Ingress {
    private static final Logger log = LoggerFactory.getLogger(RingIngress.class);
    private static final int CLOSE_WAIT_MS = 2_000;

    private final Disruptor<IngressSlot> disruptor;
    private final RingBuffer<IngressSlot> ring;
    private final WaitStrategy waiters;

    /**
     * Makes the ring; nothing runs before {@link #start}.
     *
     * @param context limits, and the receiver of failures
     * @param stages of the ring's threads
     * @param admission the stage after the lanes
     */
    public RingIngress(IngressContext context, LaneStages stages, Admission admission) {
        waiters = waitStrategy(context.config().ringWait());
        AtomicInteger threads = new AtomicInteger();
        disruptor = new Disruptor<>(
                IngressSlot::new,
                context.config().ringSize(),
                task -> {
                    Thread thread = new Thread(task, "ingress-" + context.nodeId() + "-" + threads.getAndIncrement());
                    thread.setDaemon(true);
                    return thread;
                },
                ProducerType.MULTI,
                waiters);
        disruptor.setDefaultExceptionHandler(new FatalHandler(context.fatal()));
        EpochNanoClock clock = new SystemEpochNanoClock();
        verified(context, stages)
                .then((slot, sequence, endOfBatch) -> admission.decide(slot, endOfBatch, clock.nanoTime()));
        ring = disruptor.getRingBuffer();
    }

    /** A device has one collector after the lanes, which only decode; cores have a collector in each lane. */
    @SuppressWarnings("unchecked") // The ring's builder takes generic arrays.
    private EventHandlerGroup<IngressSlot> verified(IngressContext context, LaneStages stages) {
        int laneCount = context.config().verifyLanes();
        if (context.batches().callers() == BatchPreference.Callers.ONE) {
            EventHandler<IngressSlot>[] decoders = new EventHandler[laneCount];
            for (int i = 0; i < laneCount; i++) {
                decoders[i] = new DecodeLane(new LaneShare(i, laneCount), stages.decoding(), waiters);
            }
            return disruptor.handleEventsWith(decoders).then(collector(context, LaneShare.ALL, slot -> {}, stages));
        }
        EventProcessorFactory<IngressSlot>[] lanes = new EventProcessorFactory[laneCount];
        for (int i = 0; i < laneCount; i++) {
            lanes[i] = collector(context, new LaneShare(i, laneCount), stages.decoding()::decode, stages);
        }
        return disruptor.handleEventsWith(lanes);
    }

    private EventProcessorFactory<IngressSlot> collector(
            IngressContext context, LaneShare share, Consumer<IngressSlot> preparation, LaneStages stages) {
        SignatureStage stage = stages.collecting(context.batches().to());
        return (slots, before) ->
                new CollectingLane(context, slots, slots.newBarrier(before), waiters, share, preparation, stage);
    }

    private static WaitStrategy waitStrategy(RingWait wait) {
        return switch (wait) {
            case BLOCKING -> new SignalledWaitStrategy();
            case YIELDING -> new YieldingWaitStrategy();
            case BUSY_SPIN -> new BusySpinWaitStrategy();
        };
    }

    @Override
    public void start() {
        disruptor.start();
    }

    @Override
    public boolean offer(BatchSource source, long correlationId, byte[] bytes, Digest knownBatchId) {
        long received = System.nanoTime();
        return ring.tryPublishEvent(
                (slot, sequence) -> slot.fill(source, correlationId, bytes, knownBatchId, received));
    }

    @Override
    public long depth() {
        return ring.getBufferSize() - ring.remainingCapacity();
    }

    @Override
    public void close() {
        try {
            disruptor.shutdown(CLOSE_WAIT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.warn("ingress: {} batches left without verdict", depth());
            disruptor.halt();
        }
    }

    private record FatalHandler(Consumer<Throwable> fatal) implements ExceptionHandler<IngressSlot> {
        @Override
        public void handleEventException(Throwable failure, long sequence, IngressSlot slot) {
            fatal.accept(failure);
        }

        @Override
        public void handleOnStartException(Throwable failure) {
            fatal.accept(failure);
        }

        @Override
        public void handleOnShutdownException(Throwable failure) {
            fatal.accept(failure);
        }
    }
}
