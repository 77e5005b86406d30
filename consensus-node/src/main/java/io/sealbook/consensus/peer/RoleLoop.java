package io.sealbook.consensus.peer;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sealbook.consensus.peer.handshake.ConnectionRole;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one event loop of a role, on epoll where the system has it.
 *
 * @param eventLoop the only one of {@code group}
 */
record RoleLoop(
        EventLoopGroup group,
        EventLoop eventLoop,
        Class<? extends ServerChannel> serverChannelType,
        Class<? extends Channel> channelType) {
    private static final Logger LOG = LoggerFactory.getLogger(RoleLoop.class);
    private static final int CLOSE_TIMEOUT_S = 5;

    static RoleLoop open(ConnectionRole role, int nodeId) {
        String name = "peer-" + role.name().toLowerCase(Locale.ROOT) + "-" + nodeId;
        DefaultThreadFactory threads = new DefaultThreadFactory(name, true);
        if (Epoll.isAvailable()) {
            EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, threads, EpollIoHandler.newFactory());
            return new RoleLoop(group, group.next(), EpollServerSocketChannel.class, EpollSocketChannel.class);
        }
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory());
        return new RoleLoop(group, group.next(), NioServerSocketChannel.class, NioSocketChannel.class);
    }

    /** Runs a task on the loop, unless the loop has ended. */
    void execute(Runnable task) {
        try {
            eventLoop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("event loop has ended", e);
        }
    }

    void schedule(Runnable task, int delayMs) {
        try {
            eventLoop.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("event loop has ended", e);
        }
    }

    void close() {
        group.shutdownGracefully(0, CLOSE_TIMEOUT_S, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
