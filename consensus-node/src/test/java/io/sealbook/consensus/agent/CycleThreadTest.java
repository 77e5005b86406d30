package io.sealbook.consensus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
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

        cycle.thread.join(1);
        assertThat(cycle.thread.isAlive()).isFalse();
        assertThat(failures).isEmpty();
    }
}
