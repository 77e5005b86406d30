package io.sealbook.access;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.BiConsumer;

/**
 * Closes accepted connections beyond a quota before anything is made for them. First handler of a listening channel,
 * whose event loop uses it.
 */
public final class ConnectionLimit extends ChannelInboundHandlerAdapter {
    private final AddressQuota quota;
    private final BiConsumer<InetSocketAddress, String> onRefused;

    /**
     * Counts the connections that are accepted from now on.
     *
     * @param quota of open connections
     * @param onRefused is given the remote address of each connection that is closed, and the reason; must not wait
     */
    public ConnectionLimit(AddressQuota quota, BiConsumer<InetSocketAddress, String> onRefused) {
        this.quota = quota;
        this.onRefused = onRefused;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel accepted = (Channel) message;
        InetSocketAddress remote = (InetSocketAddress) accepted.remoteAddress();
        if (remote == null) {
            // The client has closed it already.
            accepted.unsafe().closeForcibly();
            return;
        }
        InetAddress address = remote.getAddress();
        AddressQuota.Answer answer = quota.take(address);
        if (answer == AddressQuota.Answer.TAKEN) {
            accepted.closeFuture().addListener(closed -> quota.release(address));
            context.fireChannelRead(accepted);
        } else {
            onRefused.accept(remote, quota.describe(answer, address, "connections"));
            accepted.unsafe().closeForcibly();
        }
    }
}
