package io.sealbook.consensus.ingress;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.ExceptionHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.TimeoutException;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import io.sealbook.consensus.config.RingWait;
import io.sealbook.node.admission.Admission;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.IngressSlot;
import io.sealbook.node.admission.SignatureStage;
import io.sealbook.vocabulary.Digest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ingress ring and its threads. {@link #offer} is for any thread and never waits. */
public final class Ingress implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Ingress.class);
    private static final int CLOSE_WAIT_MS = 2_000;

    private final Disruptor<IngressSlot> disruptor;
    private final RingBuffer<IngressSlot> ring;

    /**
     * @param context limits, and the receiver of failures
     * @param stages gives each lane its own stage
     * @param admission the stage after the lanes
     */
    public Ingress(IngressContext context, Supplier<SignatureStage> stages, Admission admission) {
        WaitStrategy waiters = waitStrategy(context.config().ringWait());
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
        disruptor
                .handleEventsWith(lanes(context, stages, waiters))
                .then((slot, sequence, endOfBatch) -> admission.decide(slot, endOfBatch, clock.nanoTime()));
        ring = disruptor.getRingBuffer();
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // The ring's builder takes a generic array.
    private static EventHandler<IngressSlot>[] lanes(
            IngressContext context, Supplier<SignatureStage> stages, WaitStrategy waiters) {
        EventHandler[] lanes = new EventHandler[context.config().verifyLanes()];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new VerifyLane(i, lanes.length, stages.get(), context.metrics(), waiters);
        }
        return lanes;
    }

    private static WaitStrategy waitStrategy(RingWait wait) {
        return switch (wait) {
            case BLOCKING -> new SignalledWaitStrategy();
            case YIELDING -> new YieldingWaitStrategy();
            case BUSY_SPIN -> new BusySpinWaitStrategy();
        };
    }

    public void start() {
        disruptor.start();
    }

    /**
     * Puts a batch into the ring.
     *
     * @param source gets the verdict, unless the ring is full
     * @param correlationId of the source's choice; returned with the verdict
     * @param bytes handed over; must not be changed afterwards
     * @param knownBatchId SHA-256 of the batch if the caller has computed it, else null
     * @return false if the ring is full; there is no verdict then
     */
    public boolean offer(BatchSource source, long correlationId, byte[] bytes, Digest knownBatchId) {
        long received = System.nanoTime();
        return ring.tryPublishEvent(
                (slot, sequence) -> slot.fill(source, correlationId, bytes, knownBatchId, received));
    }

    /** Returns the number of batches between arrival and verdict. */
    public long depth() {
        return ring.getBufferSize() - ring.remainingCapacity();
    }

    /** Gives verdicts to what is in the ring, then stops its threads. */
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
