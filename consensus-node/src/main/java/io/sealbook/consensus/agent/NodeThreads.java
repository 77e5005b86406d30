package io.sealbook.consensus.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The threads of a node that repeat duty cycles, and the cycles on its event loop, if it has one. Filled before they
 * start; any thread may stop them.
 */
public final class NodeThreads {
    private final int nodeId;
    private final AgentInbox inbox;
    private final CommitQueue commits;
    private final Consumer<Throwable> failed;
    private final Optional<NodeLoop> loop;
    private final List<CycleThread> threads = new ArrayList<>();
    private final List<LoopCycle> onLoop = new ArrayList<>();
    private volatile boolean areRunning;

    /**
     * @param nodeId this member, for the threads' names
     * @param inbox closed with the threads, so that none waits for room in it
     * @param commits stopped with the threads
     * @param failed receives what ended a thread
     * @param loop does everything for a batch, if there is one; stays the caller's
     */
    public NodeThreads(
            int nodeId, AgentInbox inbox, CommitQueue commits, Consumer<Throwable> failed, Optional<NodeLoop> loop) {
        this.nodeId = nodeId;
        this.inbox = inbox;
        this.commits = commits;
        this.failed = failed;
        this.loop = loop;
    }

    /**
     * Adds a cycle on the path of a batch: to the event loop, or a thread if there is no loop.
     *
     * @param name of the thread, without the node's number
     * @param cycle which it repeats
     */
    public void addOnPath(String name, DutyCycle cycle) {
        loop.ifPresentOrElse(each -> onLoop.add(new LoopCycle(each.loop(), cycle, failed)), () -> add(name, cycle));
    }

    /**
     * Adds a thread.
     *
     * @param name without the node's number
     * @param cycle which it repeats
     */
    public void add(String name, DutyCycle cycle) {
        threads.add(new CycleThread(name + "-" + nodeId, cycle, failed));
    }

    public void start() {
        threads.forEach(CycleThread::start);
        onLoop.forEach(LoopCycle::start);
        areRunning = true;
    }

    /** Returns whether all were started and none was told to end. Any thread. */
    public boolean areRunning() {
        return areRunning;
    }

    /**
     * Ends every thread and waits until the work that it is doing has ended; does nothing for those that have ended.
     * The committer ends after the block that it is at.
     */
    public void stop() {
        areRunning = false;
        inbox.close();
        commits.stop();
        onLoop.forEach(LoopCycle::end);
        // What a cycle has begun ends before this task runs.
        loop.ifPresent(each -> each.runToEnd(() -> {}));
        threads.forEach(CycleThread::close);
    }
}
