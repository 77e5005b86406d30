package io.sealbook.consensus.ingress;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.EventProcessor;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.TimeoutException;
import com.lmax.disruptor.WaitStrategy;
import io.sealbook.node.admission.IngressSlot;
import io.sealbook.node.admission.SignatureStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Collects the signatures of its share of the ring's slots and has them verified together: all that has come, up to the
 * largest batch that the verifier prefers, after the wait that {@link CompanyWait} allows.
 *
 * <p>Its sequence passes a slot only when the slot's signature is verified, which the ring's own processor cannot do:
 * that one ends a slot with the handler's return. One thread runs it; {@link #halt} is for any thread.
 */
final class CollectingLane implements EventProcessor {
    private enum Phase {
        IDLE,
        RUNNING,
        HALTED
    }

    private final IngressContext context;
    private final RingBuffer<IngressSlot> ring;
    private final SequenceBarrier barrier;
    private final WaitStrategy waiters;
    private final LaneShare share;
    private final Consumer<IngressSlot> preparation;
    private final SignatureStage stage;
    private final CompanyWait company;
    private final Sequence sequence = new Sequence();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.IDLE);

    /**
     * @param context metrics, and the receiver of a failure
     * @param ring with the slots
     * @param barrier of the stage before
     * @param waiters is signalled when the admission can go on
     * @param share its slots
     * @param preparation runs on each of its slots before the signature is collected
     * @param stage of this lane alone
     */
    CollectingLane(
            IngressContext context,
            RingBuffer<IngressSlot> ring,
            SequenceBarrier barrier,
            WaitStrategy waiters,
            LaneShare share,
            Consumer<IngressSlot> preparation,
            SignatureStage stage) {
        this.context = context;
        this.ring = ring;
        this.barrier = barrier;
        this.waiters = waiters;
        this.share = share;
        this.preparation = preparation;
        this.stage = stage;
        this.company = new CompanyWait(context.batches(), context.config().verifyWaitNs(), share.count());
    }

    @Override
    public Sequence getSequence() {
        return sequence;
    }

    @Override
    public void halt() {
        phase.set(Phase.HALTED);
        barrier.alert();
    }

    @Override
    public boolean isRunning() {
        return phase.get() != Phase.IDLE;
    }

    @Override
    public void run() {
        if (phase.compareAndSet(Phase.IDLE, Phase.RUNNING)) {
            barrier.clearAlert();
            collectUntilHalted();
        }
        phase.set(Phase.IDLE);
    }

    private void collectUntilHalted() {
        long next = sequence.get() + 1;
        while (phase.get() == Phase.RUNNING) {
            try {
                if (stage.size() == 0 || barrier.getCursor() >= next) {
                    next = collect(next, barrier.waitFor(next));
                }
                if (stage.size() > 0) {
                    handOverOrSleep(next - 1);
                }
            } catch (AlertException | TimeoutException e) {
                // The loop's condition decides.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                // No slot is passed: a batch that was not verified must not be admitted.
                context.fatal().accept(e);
                return;
            }
        }
    }

    /** Takes slots up to the last available one and returns the next. */
    private long collect(long first, long last) {
        long next = first;
        while (next <= last) {
            if (share.has(next)) {
                IngressSlot slot = ring.get(next);
                preparation.accept(slot);
                stage.add(slot);
            }
            next++;
            if (stage.isFull()) {
                handOver(next - 1, System.nanoTime());
            }
        }
        if (stage.size() == 0 && next > first) {
            pass(next - 1);
        }
        return next;
    }

    private void handOverOrSleep(long last) {
        long now = System.nanoTime();
        long sleepNs = company.sleepNs(stage.size(), ring.getCursor(), now);
        if (sleepNs == 0) {
            handOver(last, now);
        } else {
            LockSupport.parkNanos(this, sleepNs);
        }
    }

    private void handOver(long last, long startedNs) {
        int count = stage.size();
        stage.verify();
        context.metrics().verified(count, System.nanoTime() - startedNs);
        pass(last);
    }

    private void pass(long last) {
        sequence.set(last);
        waiters.signalAllWhenBlocking();
    }
}
