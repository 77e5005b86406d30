package io.sealbook.peer;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.util.concurrent.Future;
import io.sealbook.peer.handshake.ConnectionRole;
import io.sealbook.peer.loop.EventLoops;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one event loop of a role.
 *
 * @param eventLoop the only one of {@code group}
 * @param isOwn whether it ends with the role
 */
record RoleLoop(
        EventLoopGroup group,
        EventLoop eventLoop,
        boolean isOwn,
        Class<? extends ServerChannel> serverChannelType,
        Class<? extends Channel> channelType) {
    private static final Logger LOG = LoggerFactory.getLogger(RoleLoop.class);
    private static final int CLOSE_TIMEOUT_S = 5;

    static RoleLoop open(ConnectionRole role, int nodeId) {
        String name = "peer-" + role.name().toLowerCase(Locale.ROOT) + "-" + nodeId;
        return of(EventLoops.open(1, name), true);
    }

    /** Uses a loop of the caller, which ends it after the role is closed. */
    static RoleLoop shared(EventLoopGroup group) {
        return of(group, false);
    }

    private static RoleLoop of(EventLoopGroup group, boolean isOwn) {
        return new RoleLoop(group, group.next(), isOwn, EventLoops.serverChannelType(), EventLoops.channelType());
    }

    /** Runs a task on the loop, unless the loop has ended. */
    void execute(Runnable task) {
        try {
            eventLoop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("event loop has ended", e);
        }
    }

    /** Runs a task at once if this is the loop's thread, otherwise on the loop. */
    void executeSoon(Runnable task) {
        if (eventLoop.inEventLoop()) {
            task.run();
        } else {
            execute(task);
        }
    }

    void schedule(Runnable task, int delayMs) {
        try {
            eventLoop.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("event loop has ended", e);
        }
    }

    /** Waits for what others do on the loop, unless this is the loop's own thread. */
    void await(Future<?> done) {
        if (!eventLoop.inEventLoop()) {
            done.awaitUninterruptibly();
        }
    }

    /** Waits until what was handed to the loop is done, and ends the loop if it is the role's own. */
    void close() {
        if (isOwn) {
            await(group.shutdownGracefully(0, CLOSE_TIMEOUT_S, TimeUnit.SECONDS));
            return;
        }
        try {
            await(eventLoop.submit(() -> {}));
        } catch (RejectedExecutionException e) {
            LOG.debug("event loop has ended", e);
        }
    }
}
