package io.sealbook.consensus.agent;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import io.sealbook.peer.loop.EventLoops;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop of a node that does everything for a batch on one thread. Its connections and its duty cycles share
 * it, so that nothing is handed from thread to thread. Any thread.
 */
public final class NodeLoop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NodeLoop.class);
    private static final long CLOSE_MS_MAX = 5_000;
    /** After this {@link #runToEnd} reports that it still waits. */
    private static final long TASK_REPORT_MS = 5_000;

    private final int nodeId;
    private final EventLoopGroup group;
    private final EventLoop loop;

    public NodeLoop(int nodeId) {
        this.nodeId = nodeId;
        group = EventLoops.open(1, "loop-" + nodeId);
        loop = group.next();
    }

    /** Returns the loop for connections; it has one thread. */
    public EventLoopGroup group() {
        return group;
    }

    EventLoop loop() {
        return loop;
    }

    /**
     * Runs a task on the loop and waits for its end, however long what is before it takes: what that uses may be closed
     * then. Does nothing if the loop has ended.
     */
    public void runToEnd(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
            return;
        }
        try {
            Future<?> end = loop.submit(task);
            if (!end.awaitUninterruptibly(TASK_REPORT_MS)) {
                log.warn(
                        "event loop of node {} has not ended its work after {} ms; its files are closed when it has",
                        nodeId,
                        TASK_REPORT_MS);
                end.awaitUninterruptibly();
            }
        } catch (RejectedExecutionException e) {
            // The loop has ended, and with it what the task would end.
        }
    }

    /** Ends the loop after what it has begun. */
    @Override
    public void close() {
        var ended = group.shutdownGracefully(0, CLOSE_MS_MAX, TimeUnit.MILLISECONDS);
        if (!loop.inEventLoop()) {
            ended.awaitUninterruptibly();
        }
    }
}
