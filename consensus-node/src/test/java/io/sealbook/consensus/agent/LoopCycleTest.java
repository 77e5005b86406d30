package io.sealbook.consensus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sealbook.facts.Facts;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A duty cycle between the reads and writes of an event loop. */
@Timeout(300)
class LoopCycleTest {
    private static final long NEVER_NS = Long.MAX_VALUE;

    private final NodeLoop loop = new NodeLoop(0);
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final Work work = new Work();
    private final LoopCycle cycle = new LoopCycle(loop.loop(), work, failures::add);

    /** Does one task a time, on the loop alone. */
    private final class Work extends DutyCycle {
        final AtomicInteger tasks = new AtomicInteger();
        final AtomicInteger runs = new AtomicInteger();
        volatile long idleNs = NEVER_NS;
        volatile RuntimeException failure;
        boolean isOnAnyLoop;

        @Override
        public int doWork() {
            assertThat(isOnAnyLoop || loop.loop().inEventLoop()).isTrue();
            runs.incrementAndGet();
            if (failure != null) {
                throw failure;
            }
            return tasks.get() > 0 && tasks.getAndDecrement() > 0 ? 1 : 0;
        }

        @Override
        public boolean hasWork() {
            return tasks.get() > 0;
        }

        @Override
        public long idleNs() {
            return idleNs;
        }
    }

    @AfterEach
    void close() {
        loop.close();
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldRunAsLongAsThereIsWorkAndAgainWhenWoken() throws Exception {
        work.tasks.set(100);
        cycle.start();
        Facts.await("the first tasks are done", () -> work.tasks.get() == 0);

        work.tasks.set(3);
        work.wakeUp();

        Facts.await("the next tasks are done", () -> work.tasks.get() == 0);
    }

    @Test
    void shouldRunAgainAfterItsIdleTime() throws Exception {
        work.idleNs = TimeUnit.MILLISECONDS.toNanos(1);
        cycle.start();

        Facts.await("it runs by itself", () -> work.runs.get() > 10);
    }

    @Test
    void shouldNotWaitForALaterTimerWhenItMayIdleForLessTime() throws Exception {
        cycle.start();
        Facts.await("it has run", () -> work.runs.get() > 0);
        int before = work.runs.get();

        work.idleNs = 1_000;
        work.wakeUp();

        Facts.await("it runs by itself", () -> work.runs.get() > before + 10);
    }

    /** An idle node is woken by what is due, not by timers of work that is done. */
    @Test
    void shouldHaveOneTimerThatIsOfItsPresentIdleTime() {
        EmbeddedChannel clock = new EmbeddedChannel();
        clock.freezeTime();
        Work idle = new Work();
        idle.isOnAnyLoop = true;
        new LoopCycle(clock.eventLoop(), idle, failures::add).start();
        clock.runPendingTasks();

        for (long idleMs : new long[] {400, 20, 400}) {
            idle.idleNs = TimeUnit.MILLISECONDS.toNanos(idleMs);
            idle.wakeUp();
            clock.runPendingTasks();
        }
        int runs = idle.runs.get();

        clock.advanceTimeBy(399, TimeUnit.MILLISECONDS);
        clock.runPendingTasks();
        assertThat(idle.runs).hasValue(runs);
        clock.advanceTimeBy(1, TimeUnit.MILLISECONDS);
        clock.runPendingTasks();
        assertThat(idle.runs).hasValue(runs + 1);
    }

    @Test
    void shouldLetTheLoopDoOtherThingsBetweenTwoRuns() throws Exception {
        work.tasks.set(Integer.MAX_VALUE);
        cycle.start();
        CountDownLatch done = new CountDownLatch(1);

        loop.loop().execute(done::countDown);

        done.await();
        assertThat(work.tasks.get()).isPositive();
        work.tasks.set(0);
    }

    @Test
    void shouldWakeTheCycleThatContainsTheOneWithWork() throws Exception {
        Work other = new Work();
        LoopCycle combined = new LoopCycle(loop.loop(), new CombinedCycle(work, other), failures::add);
        combined.start();

        other.tasks.set(1);
        other.wakeUp();

        Facts.await("the task is done", () -> other.tasks.get() == 0);
    }

    @Test
    void shouldEndWithAFailureAndPassItOn() throws Exception {
        work.failure = new IllegalStateException("planted");
        cycle.start();

        assertThat(failures.take()).isSameAs(work.failure);
        int runs = work.runs.get();
        work.wakeUp();
        loop.loop().submit(() -> {}).get();
        assertThat(work.runs).hasValue(runs);
    }

    @Test
    void shouldNotRunAfterItsEnd() throws Exception {
        cycle.start();
        Facts.await("it has run", () -> work.runs.get() > 0);
        loop.loop().submit(cycle::end).get();
        int runs = work.runs.get();

        work.tasks.set(1);
        work.wakeUp();
        loop.loop().submit(() -> {}).get();

        assertThat(work.runs).hasValue(runs);
    }

    @Test
    void shouldNeitherRunNorFailWhenTheLoopHasEnded() throws Exception {
        cycle.start();
        loop.close();

        work.wakeUp();

        assertThat(failures).isEmpty();
    }
}
