package io.sealbook.consensus.ingress;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.WaitStrategy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sleeps until the stage before has got far enough, whatever that stage is. The ring's own blocking strategy sleeps
 * only while nothing is published and spins while an earlier stage works, which took a fifth of a node's time where
 * cores are few. A stage that others wait for must call {@link #signalAllWhenBlocking} after it has moved its sequence.
 */
final class SignalledWaitStrategy implements WaitStrategy {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final AtomicBoolean isSignalNeeded = new AtomicBoolean();

    @Override
    public long waitFor(long sequence, Sequence cursor, Sequence dependentSequence, SequenceBarrier barrier)
            throws AlertException, InterruptedException {
        long available = dependentSequence.get();
        if (available >= sequence) {
            return available;
        }
        // Where all cores are busy the stage before gets further meanwhile, and no thread has to be put to sleep and
        // woken.
        Thread.yield();
        available = dependentSequence.get();
        if (available >= sequence) {
            return available;
        }
        lock.lock();
        try {
            while (true) {
                // Announced before looking: a thread that moves the sequence afterwards sees the announcement.
                isSignalNeeded.getAndSet(true);
                available = dependentSequence.get();
                if (available >= sequence) {
                    return available;
                }
                barrier.checkAlert();
                moved.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void signalAllWhenBlocking() {
        if (isSignalNeeded.getAndSet(false)) {
            lock.lock();
            try {
                moved.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
