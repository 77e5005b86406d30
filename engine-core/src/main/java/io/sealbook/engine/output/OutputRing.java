package io.sealbook.engine.output;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.ExceptionHandler;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import io.sealbook.matching.ReportRecord;
import io.sealbook.matching.ResultRun;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * The bounded ring between the matching loop, its only writer, and the consumers, each on its own thread. When it is
 * full the loop waits: a slow disk becomes back pressure on execution, then through the checkpoint window on the
 * cluster. No consumer may wait for a client.
 */
public final class OutputRing implements BlockOutput {
    private static final long FULL_PARK_NS = 50_000;

    private final Disruptor<OutputFrame> disruptor;
    private final int frameBytes;
    private final boolean areReportsRead;
    private final AtomicBoolean isFailed = new AtomicBoolean();
    private OutputFrame frame;
    private long claimed;
    private long published = -1;
    private int index;

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
        this.frameBytes = frameBytes;
        this.areReportsRead = areReportsRead;
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
    public void beginBlock(long sequence, long blockTimeNs) {
        index = 0;
        claim(sequence, blockTimeNs);
    }

    @Override
    public void add(DirectBuffer buffer, int offset, int length) {
        reserve(length);
        frame.add(buffer, offset, length);
        index++;
    }

    @Override
    public void add(ReportRecord report) {
        if (areReportsRead) {
            reserve(ReportRecord.LENGTH);
            frame.add(report);
            index++;
        }
    }

    @Override
    public void add(ResultRun run) {
        if (!frame.hasRoom(run)) {
            handOver();
        }
        frame.add(run);
    }

    private void reserve(int length) {
        if (!frame.hasRoom(length)) {
            handOver();
        }
    }

    private void handOver() {
        long sequence = frame.blockSequence();
        long timeNs = frame.blockTimeNs();
        publish();
        claim(sequence, timeNs);
    }

    @Override
    public void endBlock(BlockEnd end) {
        frame.end(end);
        publish();
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

    private void claim(long sequence, long blockTimeNs) {
        claimed = claimSlot();
        frame = disruptor.getRingBuffer().get(claimed);
        frame.begin(frameBytes, sequence, blockTimeNs, index);
    }

    private void publish() {
        disruptor.getRingBuffer().publish(claimed);
        published = claimed;
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
