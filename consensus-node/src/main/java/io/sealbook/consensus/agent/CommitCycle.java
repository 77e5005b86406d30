package io.sealbook.consensus.agent;

import io.sealbook.node.commit.CommitTask;
import io.sealbook.node.commit.Committer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/** The duty cycle around the committer: its queue of tasks and its clock. */
public final class CommitCycle extends DutyCycle {
    private static final int QUEUE_LENGTH_MIN = 4_096;
    private static final int TASKS_PER_CYCLE = 64;

    private final Committer committer;
    private final ManyToOneConcurrentArrayQueue<CommitTask> tasks;
    private volatile boolean isStopped;

    /** @param logWindow at most so many blocks can be delivered and not committed */
    public CommitCycle(Committer committer, int logWindow) {
        this.committer = committer;
        this.tasks = new ManyToOneConcurrentArrayQueue<>(Math.max(QUEUE_LENGTH_MIN, 4 * logWindow));
    }

    /** Hands over a task; false when the queue is full. A stopped committer takes and forgets. Any thread. */
    public boolean offer(CommitTask task) {
        boolean isTaken = isStopped || tasks.offer(task);
        wakeUp();
        return isTaken;
    }

    /** Lets nobody wait for this committer any more. Any thread. */
    public void stop() {
        isStopped = true;
    }

    /** Returns how many tasks wait. */
    public int depth() {
        return tasks.size();
    }

    @Override
    public boolean hasWork() {
        return !tasks.isEmpty();
    }

    @Override
    public long idleNs() {
        return committer.idleNs();
    }

    @Override
    public int doWork() {
        int done = committer.resume();
        done += tasks.drain(committer::carryOut, TASKS_PER_CYCLE);
        committer.onTick(System.nanoTime());
        return done;
    }
}
