package io.sealbook.consensus.ingress;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.ExceptionHandler;
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
import io.sealbook.node.admission.AdmissionLines;
import io.sealbook.node.admission.ArrivedBatch;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.IngressSlot;
import io.sealbook.node.admission.SignatureStage;
import io.sealbook.vocabulary.Digest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ring between the threads that receive batches, those that verify them, and the one that admits them. It holds what
 * the lanes work on; the rest waits before its {@link RingEntrance}.
 */
public final class RingIngress implements Ingress {
    private static final Logger log = LoggerFactory.getLogger(RingIngress.class);
    private static final long CLOSE_WAIT_NS = 2_000_000_000;
    private static final long CLOSE_POLL_NS = 1_000_000;
    /** After this {@link #awaitEnd} reports that it still waits. */
    private static final long END_REPORT_MS = 5_000;

    private static final int INSIDE_MIN = 32;

    private final Disruptor<IngressSlot> disruptor;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final RingEntrance entrance;
    private final int groupMax;
    /** Since the entrance heard of it. Thread of admission. */
    private int decided;

    private final WaitStrategy waiters;

    /**
     * Makes the ring; nothing runs before {@link #start}.
     *
     * @param context limits, and the receiver of failures
     * @param stages of the ring's threads
     * @param admission the stage after the lanes
     */
    public RingIngress(IngressContext context, LaneStages stages, Admission admission) {
        int insideMax = insideMax(context);
        groupMax = insideMax / 2;
        waiters = waitStrategy(context.config().ringWait());
        disruptor = new Disruptor<>(
                IngressSlot::new,
                2 * insideMax,
                task -> {
                    Thread thread = new Thread(task, "ingress-" + context.nodeId() + "-" + threads.size());
                    thread.setDaemon(true);
                    threads.add(thread);
                    return thread;
                },
                ProducerType.MULTI,
                waiters);
        disruptor.setDefaultExceptionHandler(new FatalHandler(context.fatal()));
        EpochNanoClock clock = new SystemEpochNanoClock();
        verified(context, stages).then((slot, sequence, endOfBatch) -> {
            try {
                admission.decide(slot, endOfBatch, clock.nanoTime());
            } finally {
                onDecided(endOfBatch);
            }
        });
        entrance = new RingEntrance(
                new AdmissionLines<>(context.config().ringSize(), context.nodeCount()), disruptor.getRingBuffer());
    }

    /**
     * Returns how many are let in, a power of two: for each lane four times the smallest batch at its full rate, and at
     * most half as many as may wait; for a device its largest batch, and at most as many as may wait.
     */
    private static int insideMax(IngressContext context) {
        BatchPreference batches = context.batches();
        int ringSize = context.config().ringSize();
        boolean isDevice = batches.callers() == BatchPreference.Callers.ONE;
        int wanted = isDevice ? batches.to() : 4 * context.config().verifyLanes() * batches.from();
        int most = isDevice ? ringSize : ringSize / 2;
        return Math.min(BitUtil.findNextPositivePowerOfTwo(Math.max(INSIDE_MIN, wanted)), most);
    }

    private void onDecided(boolean endOfBatch) {
        decided++;
        if (endOfBatch || decided == groupMax) {
            entrance.onDecided(decided);
            decided = 0;
        }
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
        return entrance.offer(new ArrivedBatch(source, correlationId, bytes, knownBatchId, System.nanoTime()));
    }

    @Override
    public long depth() {
        return entrance.depth();
    }

    /**
     * Gives verdicts to what has arrived, then has its threads end; after some time in any case. They may be at work
     * still: see {@link #awaitEnd}.
     */
    @Override
    public void close() {
        long startNs = System.nanoTime();
        long leftNs = CLOSE_WAIT_NS;
        while (depth() > 0 && leftNs > 0) {
            LockSupport.parkNanos(this, CLOSE_POLL_NS);
            leftNs = CLOSE_WAIT_NS - (System.nanoTime() - startNs);
        }
        try {
            disruptor.shutdown(Math.max(0, leftNs), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            log.warn("ingress: {} batches left without verdict", depth());
            disruptor.halt();
        }
    }

    /**
     * Waits until every thread of the closed ring has ended, however long that takes: what they use may be closed then.
     * One may wait for room in agreement's inbox, which must be closed before this. Does not wait for the own thread.
     */
    public void awaitEnd() {
        boolean isInterrupted = false;
        for (Thread thread : threads) {
            boolean isReported = false;
            while (thread.isAlive() && thread != Thread.currentThread()) {
                try {
                    if (!thread.join(Duration.ofMillis(END_REPORT_MS)) && !isReported) {
                        log.warn(
                                "thread {} has not ended after {} ms; its files are closed when it has",
                                thread.getName(),
                                END_REPORT_MS);
                        isReported = true;
                    }
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
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
