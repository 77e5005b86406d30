package io.sealbook.consensus.agent;

import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.commit.Committer;
import io.sealbook.node.port.CommitTask;

/** The duty cycle around the committer: feeds it with tasks and the time. */
public final class CommitCycle extends DutyCycle {
    private static final int TASKS_PER_CYCLE = 64;

    private final Committer committer;
    private final CommitQueue tasks;
    private final NodeMetrics metrics;

    /**
     * @param committer driven by this cycle only
     * @param tasks read by this cycle only
     * @param metrics learns how long the commit of a block takes
     */
    public CommitCycle(Committer committer, CommitQueue tasks, NodeMetrics metrics) {
        this.committer = committer;
        this.tasks = tasks;
        this.metrics = metrics;
        tasks.onOffer(this::wakeUp);
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
        done += tasks.drain(this::carryOut, TASKS_PER_CYCLE);
        committer.onTick(System.nanoTime());
        return done;
    }

    private void carryOut(CommitTask task) {
        long startedNs = System.nanoTime();
        committer.carryOut(task, startedNs);
        if (task instanceof CommitTask.Deliver) {
            metrics.commitTook(System.nanoTime() - startedNs);
        }
    }
}
