package io.sealbook.consensus.agent;

import io.sealbook.node.port.CommitTask;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/** Tasks that wait for the committer, in order. Bounded; never waits. */
public final class CommitQueue {
    private static final int LENGTH_MIN = 4_096;

    private final ManyToOneConcurrentArrayQueue<CommitTask> tasks;
    private volatile Runnable wakeUp = () -> {};
    private volatile boolean isStopped;

    /** @param logWindow blocks that can be delivered and not committed, at most */
    public CommitQueue(int logWindow) {
        this.tasks = new ManyToOneConcurrentArrayQueue<>(Math.max(LENGTH_MIN, 4 * logWindow));
    }

    void onOffer(Runnable wakeUp) {
        this.wakeUp = wakeUp;
    }

    /** Hands over a task; false when the queue is full. A stopped queue takes and forgets. Any thread. */
    public boolean offer(CommitTask task) {
        boolean isTaken = isStopped || tasks.offer(task);
        wakeUp.run();
        return isTaken;
    }

    /**
     * Stops the queue: the task that is carried out is the last one. Those that wait are discarded, and later ones are
     * accepted and discarded: a restart finds what they would have done. Any thread.
     */
    public void stop() {
        isStopped = true;
    }

    /** Returns how many tasks wait. */
    public int depth() {
        return tasks.size();
    }

    /** Returns whether no task will be handed out now. */
    boolean isEmpty() {
        return isStopped || tasks.isEmpty();
    }

    int drain(Consumer<CommitTask> consumer, int limit) {
        int count = 0;
        while (count < limit && !isStopped) {
            CommitTask task = tasks.poll();
            if (task == null) {
                break;
            }
            consumer.accept(task);
            count++;
        }
        return count;
    }
}
