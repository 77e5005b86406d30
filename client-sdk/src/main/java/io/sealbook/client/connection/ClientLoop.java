package io.sealbook.client.connection;

import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The one thread that owns the state of a client. Other threads hand it tasks; what they hand over is bounded by the
 * batches in flight and by gRPC flow control, which grants a message only after the one before was handled.
 */
public final class ClientLoop implements Executor {
    private static final long IDLE_MAX_NS = 1_000_000_000L;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(ClientLoop::compareDue);
    private final Thread thread;
    private final Consumer<Throwable> onBroken;
    private volatile boolean isParked;
    private volatile boolean isStopped;
    private long timerCount;

    private record Timer(long dueNs, long number, Runnable task) {}

    /** By difference: {@link System#nanoTime} may pass the end of its range. */
    private static int compareDue(Timer one, Timer other) {
        long laterNs = one.dueNs() - other.dueNs();
        return laterNs != 0 ? Long.signum(laterNs) : Long.compare(one.number(), other.number());
    }

    /**
     * Creates a loop, not yet running.
     *
     * @param name of the thread
     * @param onBroken called, on the loop thread, when a task throws: a broken invariant. It must end what the client
     *     does; the loop goes on so that what was handed over is answered
     */
    public ClientLoop(String name, Consumer<Throwable> onBroken) {
        this.onBroken = onBroken;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /**
     * Runs the task on the loop thread, after those handed over before it; any thread. Ignored once the loop has
     * stopped.
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (isParked) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Runs the task on the loop thread after the delay; loop thread only.
     *
     * @param delayNs at least so long; below 0 is 0, and above 1,000 days these
     * @param task runs once
     */
    public void schedule(long delayNs, Runnable task) {
        long boundedNs = Math.min(Math.max(delayNs, 0), BoundedTime.MAX_NS);
        timers.add(new Timer(System.nanoTime() + boundedNs, timerCount++, task));
    }

    public boolean isLoopThread() {
        return Thread.currentThread() == thread;
    }

    /** Ends the loop after the task in hand and waits for it, unless called on the loop. */
    public void stop() {
        isStopped = true;
        LockSupport.unpark(thread);
        if (isLoopThread()) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!isStopped) {
            try {
                if (runTasks() + runTimers() == 0) {
                    park();
                }
            } catch (RuntimeException | Error e) {
                onBroken.accept(e);
            }
        }
    }

    private int runTasks() {
        int count = 0;
        // Bounded, so that timers are looked at under any load.
        while (count < 256 && !isStopped) {
            Runnable task = tasks.poll();
            if (task == null) {
                break;
            }
            task.run();
            count++;
        }
        return count;
    }

    private int runTimers() {
        int count = 0;
        long nowNs = System.nanoTime();
        while (!isStopped && !timers.isEmpty() && timers.peek().dueNs() - nowNs <= 0) {
            timers.poll().task().run();
            count++;
        }
        return count;
    }

    private void park() {
        long waitNs = timers.isEmpty() ? IDLE_MAX_NS : timers.peek().dueNs() - System.nanoTime();
        if (waitNs <= 0) {
            return;
        }
        // If all cores are busy, tasks come meanwhile, and this thread need not sleep and be woken.
        Thread.yield();
        if (!tasks.isEmpty()) {
            return;
        }
        isParked = true;
        if (tasks.isEmpty() && !isStopped) {
            LockSupport.parkNanos(this, Math.min(waitNs, IDLE_MAX_NS));
        }
        isParked = false;
    }
}
