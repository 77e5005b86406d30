package io.sealbook.consensus.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The threads of a node that repeat duty cycles. Filled before they start; any thread may stop them. */
public final class NodeThreads {
    private final int nodeId;
    private final AgentInbox inbox;
    private final CommitQueue commits;
    private final Consumer<Throwable> failed;
    private final List<CycleThread> threads = new ArrayList<>();

    /**
     * @param nodeId this member, for the threads' names
     * @param inbox closed with the threads, so that none waits for room in it
     * @param commits stopped with the threads
     * @param failed receives what ended a thread
     */
    public NodeThreads(int nodeId, AgentInbox inbox, CommitQueue commits, Consumer<Throwable> failed) {
        this.nodeId = nodeId;
        this.inbox = inbox;
        this.commits = commits;
        this.failed = failed;
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
    }

    /** Ends every thread after the work it is doing; does nothing for those that have ended. */
    public void stop() {
        inbox.close();
        commits.stop();
        threads.forEach(CycleThread::close);
    }
}
