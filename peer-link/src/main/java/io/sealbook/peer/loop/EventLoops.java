package io.sealbook.peer.loop;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.channels.spi.SelectorProvider;

/** Makes groups of event loops, on epoll where the system has it. They let others run before they sleep. */
public final class EventLoops {
    private static final int EVENTS_AT_ONCE_DEFAULT = 0;

    private EventLoops() {}

    /**
     * Returns a group of event loops, which the caller shuts down.
     *
     * @param threads number of daemon threads, 1 or more
     * @param name prefix of their names
     */
    public static EventLoopGroup open(int threads, String name) {
        SelectStrategyFactory yielding = () -> new YieldingSelect(Thread::yield);
        IoHandlerFactory handlers = Epoll.isAvailable()
                ? EpollIoHandler.newFactory(EVENTS_AT_ONCE_DEFAULT, yielding)
                : NioIoHandler.newFactory(SelectorProvider.provider(), yielding);
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), handlers);
    }

    /** Returns the type of listening sockets that such a group serves. */
    public static Class<? extends ServerChannel> serverChannelType() {
        return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** Returns a new listening socket that such a group serves; it is not bound yet. */
    public static ServerChannel serverChannel() {
        return Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
    }

    /**
     * Leaves connections with the system until their first bytes have come, if it supports that (tcp(7),
     * TCP_DEFER_ACCEPT). A peer that sends first is accepted with bytes to read; a silent one is not accepted. The
     * system may accept silent ones if it has too many of them.
     *
     * @param bootstrap of the listening socket, for such a group
     * @param seconds for which a silent connection is kept
     */
    public static void acceptOnFirstBytes(ServerBootstrap bootstrap, int seconds) {
        if (Epoll.isAvailable()) {
            bootstrap.option(EpollChannelOption.TCP_DEFER_ACCEPT, seconds);
        }
    }

    /** Returns the type of connections that such a group serves. */
    public static Class<? extends Channel> channelType() {
        return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }
}
