package io.sealbook.access;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import io.sealbook.tls.role.Caller;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Closes accepted connections beyond a quota. Without TLS the holder of a place is an address, and the connection is
 * closed before anything is made for it. With TLS the holder is the certificate that the client shows, and then the
 * caller whose role it proves; until the handshake is done the connection is one of a limited number of
 * {@link Handshakes}. Connections that have proven no role compete with each other only: if no place is left for a new
 * one, the certificate that has most of them gives its oldest up. So a caller that proves its role at once gets in,
 * however many certificates a flood has. No more than {@link SocketPlaces#all} sockets are open, also while others are
 * being closed. First handler of a listening channel, whose event loop uses it.
 *
 * <pre>
 *   accepted ──▶ handshake ──certificate──▶ place of the certificate ──role──▶ place of the caller ──▶ closed
 * </pre>
 */
public final class ConnectionLimit extends ChannelInboundHandlerAdapter {
    /** In which the answer reaches the caller, before its connection is closed. */
    private static final long FAREWELL_MS = 200;
    /** In which what a displaced connection has sent may still arrive. */
    private static final long DISPLACED_MS = 10;

    private final HolderQuota quota;
    private final Optional<Handshakes> handshakes;
    private final SocketPlaces sizes;
    private final BiConsumer<InetSocketAddress, String> onRefused;
    private final AtomicInteger sockets = new AtomicInteger();
    /** Of connections whose handshake is done. */
    private final Map<SocketAddress, Place> places = new ConcurrentHashMap<>();

    /** Of connections that have proven no role. Changed under its own lock. */
    private final FairPlaces<Place> unproven = new FairPlaces<>(Integer.MAX_VALUE);

    private ConnectionLimit(
            HolderQuota quota,
            Optional<Handshakes> handshakes,
            SocketPlaces sizes,
            BiConsumer<InetSocketAddress, String> onRefused) {
        this.quota = quota;
        this.handshakes = handshakes;
        this.sizes = sizes;
        this.onRefused = onRefused;
    }

    /**
     * Returns a limit for a port without TLS.
     *
     * @param quota of open connections, by address
     * @param onRefused is given the remote address of each connection that is closed, and the reason; must not wait
     */
    public static ConnectionLimit plain(HolderQuota quota, BiConsumer<InetSocketAddress, String> onRefused) {
        return new ConnectionLimit(quota, Optional.empty(), new SocketPlaces(Integer.MAX_VALUE, 0), onRefused);
    }

    /**
     * Returns a limit for a port with TLS.
     *
     * @param quota of connections whose handshake is done, by certificate and then by caller
     * @param sockets has the number of further connections whose handshake is not done, and of all
     * @param onRefused is given the remote address of each connection that is closed, and the reason; must not wait
     */
    public static ConnectionLimit tls(
            HolderQuota quota, SocketPlaces sockets, BiConsumer<InetSocketAddress, String> onRefused) {
        return new ConnectionLimit(quota, Optional.of(new Handshakes(sockets.handshakesMax())), sockets, onRefused);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel accepted = (Channel) message;
        InetSocketAddress remote = (InetSocketAddress) accepted.remoteAddress();
        if (remote == null) {
            // The client has closed it already.
            accepted.unsafe().closeForcibly();
        } else if (sockets.get() >= sizes.all()) {
            onRefused.accept(remote, sizes.all() + " sockets are open, the most that this port may have");
            accepted.unsafe().closeForcibly();
        } else if (handshakes.isPresent()) {
            sockets.incrementAndGet();
            accepted.closeFuture().addListener(closed -> sockets.decrementAndGet());
            beginHandshake(handshakes.get(), accepted, remote);
            context.fireChannelRead(accepted);
        } else if (takeByAddress(accepted, remote)) {
            context.fireChannelRead(accepted);
        } else {
            accepted.unsafe().closeForcibly();
        }
    }

    private boolean takeByAddress(Channel accepted, InetSocketAddress remote) {
        InetAddress holder = remote.getAddress();
        if (!isTaken(quota.take(holder), remote, holder)) {
            return false;
        }
        accepted.closeFuture().addListener(closed -> quota.release(holder));
        return true;
    }

    private boolean isTaken(HolderQuota.Answer answer, InetSocketAddress remote, Object holder) {
        if (answer == HolderQuota.Answer.TAKEN) {
            return true;
        }
        onRefused.accept(remote, quota.describe(answer, holder, "connections"));
        return false;
    }

    private void beginHandshake(Handshakes waiting, Channel accepted, InetSocketAddress remote) {
        InetAddress address = remote.getAddress();
        accepted.pipeline()
                .addFirst(new HandshakeWatch(
                        channel -> closeLate(waiting, waiting.onAnswered(channel, address)),
                        tls -> endHandshake(waiting, accepted, remote, tls)));
        accepted.closeFuture().addListener(closed -> waiting.onOver(accepted));
        closeLate(waiting, waiting.onAccepted(accepted, address));
    }

    /**
     * Closes a displaced connection unless it makes progress. Its event loop may be behind by many connections, because
     * the port accepts on another one. A task that it gets from elsewhere may run before it reads anything; one that
     * such a task schedules runs after it has read what waits.
     */
    private void closeLate(Handshakes waiting, Handshakes.Displaced displaced) {
        if (displaced == null) {
            return;
        }
        EventLoop loop = displaced.channel().eventLoop();
        loop.execute(() -> loop.schedule(
                () -> {
                    if (waiting.isLate(displaced)) {
                        onRefused.accept(
                                (InetSocketAddress) displaced.channel().remoteAddress(),
                                "its handshake is not done, and its address has most of those");
                        displaced.channel().close();
                    }
                },
                DISPLACED_MS,
                TimeUnit.MILLISECONDS));
    }

    private void endHandshake(Handshakes waiting, Channel accepted, InetSocketAddress remote, SslHandler tls) {
        waiting.onOver(accepted);
        try {
            Object certificate = tls.engine().getSession().getPeerCertificates()[0];
            if (isTaken(takeUnproven(certificate), remote, certificate)) {
                Place place = new Place(accepted, remote, certificate);
                places.put(remote, place);
                synchronized (unproven) {
                    unproven.take(place, certificate);
                }
                accepted.closeFuture().addListener(closed -> {
                    places.remove(remote, place);
                    place.release();
                });
            } else {
                accepted.close();
            }
        } catch (SSLPeerUnverifiedException e) {
            // The port requires a certificate, so that no handshake is done without one.
            accepted.close();
        }
    }

    private HolderQuota.Answer takeUnproven(Object certificate) {
        HolderQuota.Answer answer = quota.take(certificate);
        if (answer != HolderQuota.Answer.ALL_ARE_TAKEN) {
            return answer;
        }
        Place oldest;
        synchronized (unproven) {
            if (unproven.takenCount() == 0) {
                return answer;
            }
            oldest = unproven.evict();
        }
        String reason = "it has proven no role, and its certificate has most connections of those";
        oldest.refuse(reason);
        onRefused.accept(oldest.remote, reason);
        oldest.release();
        oldest.close(0);
        return quota.take(certificate);
    }

    /**
     * A call begins. The first one of a caller that has proven its role takes a place of that caller for its
     * connection, which leaves that of its certificate. If the caller may have no further one, the connection is closed
     * soon, and no call begins on it any more. Any thread.
     *
     * @param remote address of the connection
     * @param caller who is at its other end; empty if the call proves no role
     * @return why the call must not begin; empty if it may
     */
    public Optional<String> onCall(SocketAddress remote, Optional<Caller> caller) {
        Place place = places.get(remote);
        if (place == null || caller.isPresent() && place.isOf(caller.get())) {
            return Optional.empty();
        }
        Optional<String> before = place.refusal();
        if (before.isPresent() || caller.isEmpty()) {
            return before;
        }
        HolderQuota.Answer answer = place.pass(caller.get());
        if (answer == HolderQuota.Answer.TAKEN) {
            return Optional.empty();
        }
        String reason = quota.describe(answer, caller.get(), "connections");
        if (place.refuse(reason)) {
            onRefused.accept((InetSocketAddress) remote, reason);
            place.close(FAREWELL_MS);
        }
        return Optional.of(reason);
    }

    /** The place of one connection. Any thread. */
    private final class Place {
        private final Channel channel;
        private final InetSocketAddress remote;
        /** Null when it holds none any more. */
        private volatile Object holder;
        /** Why the connection is being closed; null if it is not. */
        private volatile String refusal;

        Place(Channel channel, InetSocketAddress remote, Object certificate) {
            this.channel = channel;
            this.remote = remote;
            this.holder = certificate;
        }

        boolean isOf(Caller caller) {
            return caller.equals(holder);
        }

        Optional<String> refusal() {
            return Optional.ofNullable(refusal);
        }

        /** Notes why no call may begin any more; false if that is known. */
        synchronized boolean refuse(String reason) {
            boolean isFirst = refusal == null;
            refusal = isFirst ? reason : refusal;
            return isFirst;
        }

        synchronized HolderQuota.Answer pass(Caller next) {
            if (holder == null || holder.equals(next)) {
                return HolderQuota.Answer.TAKEN;
            }
            leaveUnproven();
            HolderQuota.Answer answer = quota.replace(holder, next);
            holder = answer == HolderQuota.Answer.TAKEN ? next : null;
            return answer;
        }

        private void leaveUnproven() {
            synchronized (unproven) {
                unproven.release(this);
            }
        }

        synchronized void release() {
            leaveUnproven();
            if (holder != null) {
                quota.release(holder);
                holder = null;
            }
        }

        /** Below HTTP/2, whose own close waits for the end of its streams. */
        void close(long delayMs) {
            ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
            if (tls != null) {
                channel.eventLoop().schedule(() -> tls.close(), delayMs, TimeUnit.MILLISECONDS);
            }
        }
    }
}
