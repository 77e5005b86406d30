package io.sealbook.consensus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class CycleThreadTest {
    private static final long HOUR_NS = 3_600_000_000_000L;

    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final CountDownLatch goesToSleep = new CountDownLatch(1);
    private volatile Thread closing;

    /** Is closed after it has looked for work and before it has announced its sleep. */
    private final class Drowsy extends DutyCycle {
        volatile Thread thread;

        @Override
        public int doWork() {
            thread = Thread.currentThread();
            return 0;
        }

        @Override
        public long idleNs() {
            goesToSleep.countDown();
            while (closing == null || closing.getState() != Thread.State.TIMED_WAITING) {
                Thread.yield();
            }
            return HOUR_NS;
        }

        /** Sleeps longer than a thread may, so that only the close ends it. */
        @Override
        public boolean hasWork() {
            LockSupport.parkNanos(HOUR_NS);
            return true;
        }
    }

    @Test
    void shouldEndAThreadThatIsOnItsWayToSleep() throws Exception {
        Drowsy cycle = new Drowsy();
        CycleThread thread = new CycleThread("drowsy", cycle, failures::add);
        thread.start();
        goesToSleep.await();

        closing = Thread.ofPlatform().start(thread::close);
        closing.join();

        cycle.thread.join();
        assertThat(failures).isEmpty();
    }

    /** Works until it is told to end. */
    private static final class Busy extends DutyCycle {
        final CountDownLatch works = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        volatile RuntimeException failure;
        volatile boolean hasEnded;

        @Override
        public int doWork() {
            works.countDown();
            awaitUnless(mayEnd);
            hasEnded = true;
            if (failure != null) {
                throw failure;
            }
            return 1;
        }

        @Override
        public boolean hasWork() {
            return true;
        }

        @Override
        public long idleNs() {
            return HOUR_NS;
        }
    }

    private static void awaitUnless(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the work uses is closed next. The report is the fact that shows how the wait goes on. */
    @Test
    void shouldWaitForTheWorkThatItIsDoingHoweverLongItTakes() throws Exception {
        try (LogLines lines = LogLines.of(CycleThread.class)) {
            Busy cycle = new Busy();
            CycleThread thread = new CycleThread("busy", cycle, failures::add);
            thread.start();
            cycle.works.await();

            Queue<Boolean> hadEnded = new ConcurrentLinkedQueue<>();
            closing = Thread.ofPlatform().start(() -> {
                thread.close();
                hadEnded.add(cycle.hasEnded);
            });
            closing.interrupt();
            Facts.await(
                    "close returns or reports",
                    () -> !hadEnded.isEmpty() || !lines.warnings().isEmpty());
            cycle.mayEnd.countDown();
            closing.join();

            assertThat(hadEnded).containsExactly(true);
            assertThat(lines.warnings()).singleElement().asString().startsWith("thread busy has not ended after");
            assertThat(failures).isEmpty();
        }
    }

    /** As when two threads of a node fail: each stops all. */
    @Test
    void shouldNotWaitForAFailedCycleThatClosesOthers() throws Exception {
        Busy first = new Busy();
        Busy second = new Busy();
        first.failure = new IllegalStateException("first");
        second.failure = new IllegalStateException("second");
        List<CycleThread> threads = new ArrayList<>();
        CountDownLatch haveFailed = new CountDownLatch(2);
        CountDownLatch haveClosed = new CountDownLatch(2);
        Consumer<Throwable> stop = failure -> {
            failures.add(failure);
            haveFailed.countDown();
            awaitUnless(haveFailed);
            threads.forEach(CycleThread::close);
            haveClosed.countDown();
        };
        threads.add(new CycleThread("first", first, stop));
        threads.add(new CycleThread("second", second, stop));
        threads.forEach(CycleThread::start);

        first.mayEnd.countDown();
        second.mayEnd.countDown();

        haveClosed.await();
        assertThat(failures).containsExactlyInAnyOrder(first.failure, second.failure);
    }

    @Test
    void shouldNotWaitForAThreadThatWasNeverStarted() throws Exception {
        Busy cycle = new Busy();
        CycleThread thread = new CycleThread("unused", cycle, failures::add);

        thread.close();

        thread.start();
        thread.close();
        assertThat(cycle.works.getCount()).as("a closed one does no work").isOne();
    }
}
