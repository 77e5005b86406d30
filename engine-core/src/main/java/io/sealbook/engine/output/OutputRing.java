package io.sealbook.engine.output;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.ExceptionHandler;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The bounded ring between the matching loop, its only writer, and the consumers, each on its own thread. When it is
 * full the loop waits: a slow disk becomes back pressure on execution, then through the checkpoint window on the
 * cluster. No consumer may wait for a client.
 */
public final class OutputRing extends FramedOutput {
    private static final long FULL_PARK_NS = 50_000;

    private final Disruptor<OutputFrame> disruptor;
    private final AtomicBoolean isFailed = new AtomicBoolean();
    private long claimed;
    private long published = -1;

    /**
     * @param frames number of slots, a power of two
     * @param frameBytes size of a slot's arena, at least one message
     * @param areReportsRead whether a consumer requires each report as a message; else they have the runs
     * @param handlers consumers, independent of each other
     * @param onFailure receives the exception of a consumer; the ring is unusable afterwards
     */
    public OutputRing(
            int frames,
            int frameBytes,
            boolean areReportsRead,
            List<? extends EventHandler<OutputFrame>> handlers,
            Consumer<Throwable> onFailure) {
        super(frameBytes, areReportsRead);
        disruptor = new Disruptor<>(
                OutputFrame::new,
                frames,
                Thread.ofPlatform().name("output-", 0).daemon().factory(),
                ProducerType.SINGLE,
                new BlockingWaitStrategy());
        disruptor.setDefaultExceptionHandler(new FailureHandler(isFailed, onFailure));
        for (EventHandler<OutputFrame> handler : handlers) {
            disruptor.handleEventsWith(handler);
        }
        disruptor.start();
    }

    @Override
    OutputFrame nextFrame() {
        claimed = claimSlot();
        return disruptor.getRingBuffer().get(claimed);
    }

    @Override
    void handOver(OutputFrame filled) {
        disruptor.getRingBuffer().publish(claimed);
        published = claimed;
    }

    @Override
    public double freeRatio() {
        return (double) disruptor.getRingBuffer().remainingCapacity() / disruptor.getBufferSize();
    }

    /** Waits until the consumers have read everything, then stops them; after a failure stops them where they are. */
    @Override
    public void close() {
        while (!isFailed.get() && disruptor.getRingBuffer().getMinimumGatingSequence() < published) {
            LockSupport.parkNanos(FULL_PARK_NS);
        }
        disruptor.halt();
    }

    private long claimSlot() {
        while (true) {
            if (isFailed.get()) {
                throw new IllegalStateException("output: a consumer has failed");
            }
            try {
                return disruptor.getRingBuffer().tryNext();
            } catch (InsufficientCapacityException full) {
                LockSupport.parkNanos(FULL_PARK_NS);
            }
        }
    }

    /** Ends the consumer that failed: a rethrown exception leaves its thread, so its sequence stops. */
    private record FailureHandler(AtomicBoolean isFailed, Consumer<Throwable> onFailure)
            implements ExceptionHandler<OutputFrame> {
        @Override
        public void handleEventException(Throwable failure, long sequence, OutputFrame frame) {
            fail(failure);
            throw new IllegalStateException("output: consumer failed at block " + frame.blockSequence(), failure);
        }

        @Override
        public void handleOnStartException(Throwable failure) {
            fail(failure);
        }

        @Override
        public void handleOnShutdownException(Throwable failure) {
            fail(failure);
        }

        private void fail(Throwable failure) {
            // First the reason: the loop reports its own failure once it notices.
            onFailure.accept(failure);
            isFailed.set(true);
        }
    }
}
