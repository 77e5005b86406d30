package io.sealbook.consensus.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Closes accepted connections beyond a quota before anything is made for them. First handler of a listening channel. */
final class ConnectionLimit extends ChannelInboundHandlerAdapter {
    private final AddressQuota quota;
    private final Runnable onRefused;

    /**
     * Counts from now on.
     *
     * @param quota of open connections
     * @param onRefused runs for each connection that is closed; must not wait
     */
    ConnectionLimit(AddressQuota quota, Runnable onRefused) {
        this.quota = quota;
        this.onRefused = onRefused;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel accepted = (Channel) message;
        if (accepted.remoteAddress() instanceof InetSocketAddress remote
                && quota.take(remote.getAddress()) == AddressQuota.Answer.TAKEN) {
            InetAddress address = remote.getAddress();
            accepted.closeFuture().addListener(closed -> quota.release(address));
            context.fireChannelRead(accepted);
        } else {
            onRefused.run();
            accepted.unsafe().closeForcibly();
        }
    }
}
