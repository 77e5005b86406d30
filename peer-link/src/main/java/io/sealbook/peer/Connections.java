package io.sealbook.peer;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.timeout.IdleStateHandler;
import io.sealbook.access.Descriptors;
import io.sealbook.access.LinePace;
import io.sealbook.access.RefusalLog;
import io.sealbook.peer.frame.FrameAuthenticator;
import io.sealbook.peer.frame.FrameCode;
import io.sealbook.peer.frame.FrameContent;
import io.sealbook.peer.frame.FrameDecoder;
import io.sealbook.peer.handshake.AcceptorHandshake;
import io.sealbook.peer.handshake.ConnectionRole;
import io.sealbook.peer.handshake.DialerHandshake;
import io.sealbook.peer.handshake.HandshakeContext;
import io.sealbook.peer.handshake.HandshakeException;
import io.sealbook.peer.handshake.Session;
import io.sealbook.peer.loop.EventLoops;
import io.sealbook.peer.record.RecordDecoder;
import io.sealbook.peer.record.RecordEncoder;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All connections of one role: accepts those of higher ids, dials lower ids again and again, and holds one
 * {@link PeerLink} a peer.
 *
 * <p>Everything but construction, {@link #start}, {@link #outbox} and {@link #close} happens on the role's event loop.
 */
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final WriteBufferWaterMark WRITE_MARKS = new WriteBufferWaterMark(256 << 10, 1 << 20);

    private static final int MS_PER_S = 1_000;
    /**
     * Connections that wait to be accepted. A flood fills any queue: in a long one a member's handshake would time out
     * before it is read, while a member that finds a short one full is let in at one of its next tries, a second apart.
     */
    private static final int WAITING_MAX = 512;

    private final ConnectionRole role;
    private final PeerConfig config;
    private final HandshakeContext handshakes;
    private final FrameReceiver receiver;
    private final PeerMetrics metrics;
    private final RoleLoop loop;
    private final ConnectionListener listener;
    private final PeerLink[] links;
    private final int[] reconnectDelayMs;
    private final Target[] next;
    /** Of each peer, what its last connection was to. */
    private final Target[] dialed;

    private final Penalties penalties;
    private final Outbox outbox;
    private final MemberAddresses memberAddresses;
    private final HandshakePlaces handshakePlaces;
    private final RefusalLog refusalLog;
    private final LinePace sessionLines = new LinePace();
    private final LinePace failureLines = new LinePace();
    private Channel server;
    private volatile boolean isClosed;

    Connections(
            ConnectionRole role,
            PeerConfig config,
            HandshakeContext handshakes,
            FrameReceiver receiver,
            PeerMetrics metrics,
            RoleLoop loop,
            ConnectionListener listener) {
        this.role = role;
        this.config = config;
        this.handshakes = handshakes;
        this.receiver = receiver;
        this.metrics = metrics;
        this.listener = listener;
        this.loop = loop;
        this.links = new PeerLink[config.nodeCount()];
        this.reconnectDelayMs = new int[links.length];
        this.next = new Target[links.length];
        this.dialed = new Target[links.length];
        Arrays.fill(next, Target.FIRST);
        Arrays.fill(dialed, Target.FIRST);
        this.penalties = new Penalties(links.length);
        for (int peer = 0; peer < links.length; peer++) {
            if (peer != config.nodeId()) {
                links[peer] = new PeerLink(role, config.limits(), metrics);
                metrics.queueGauge(peer, links[peer], PeerLink::queuedBytes);
            }
        }
        this.outbox = new Outbox(config.nodeId(), links, loop.eventLoop(), metrics);
        this.memberAddresses = new MemberAddresses(() -> config.nodes().hosts());
        this.handshakePlaces = new HandshakePlaces(
                config.limits().within(Descriptors.sockets(port(role)), links.length),
                links.length,
                memberAddresses,
                metrics);
        this.refusalLog = new RefusalLog(
                "node " + config.nodeId() + ": " + role, "sealbook_peer_refused_total", LOG::warn, loop::schedule);
    }

    /**
     * What an attempt is for.
     *
     * @param place which of the peer's places
     * @param address which address of that place's name
     */
    private record Target(int place, int address) {
        static final Target FIRST = new Target(0, 0);

        /** Returns the next address of the name, and after the last one the first of the peer's next place. */
        Target after(int addressCount) {
            return address + 1 < addressCount
                    ? new Target(place, address + 1)
                    : new Target((place + 1) & Integer.MAX_VALUE, 0);
        }
    }

    /** Notified, on an event loop, when a connection of a role is established or lost. */
    interface ConnectionListener {
        /** @param peerEpoch that the peer is in */
        void onUp(ConnectionRole role, int peer, int peerEpoch);

        void onDown(ConnectionRole role, int peer);

        /** A peer, as it says it is, has refused this node's id or key. */
        void onIdentityRefused(int peer);

        /**
         * A period of the vote connections is over.
         *
         * @param peers has a bit for each that was heard
         * @param connected has a bit for each to which there is a vote connection
         */
        void onHeard(long peers, long connected);
    }

    Outbox outbox() {
        return outbox;
    }

    PeerLimits limits() {
        return config.limits();
    }

    PeerMetrics metrics() {
        return metrics;
    }

    FrameReceiver receiver() {
        return receiver;
    }

    Digest genesisDigest() {
        return handshakes.genesisDigest();
    }

    /**
     * Binds the port and begins to dial.
     *
     * @throws IOException if the port cannot be bound
     */
    void start() throws IOException {
        memberAddresses.lookUp();
        if (config.isNamed()) {
            listen();
        }
        for (int peer = 0; peer < Math.min(config.nodeId(), links.length); peer++) {
            reconnectDelayMs[peer] = limits().reconnectDelayMinMs();
            dial(peer);
        }
        if (role == ConnectionRole.VOTE) {
            loop.execute(this::beat);
        }
    }

    /**
     * A period is over: sends something to each peer that nothing was sent to, and reports which peers were heard. What
     * has arrived is read before tasks run, so a pause of this process makes no peer silent.
     */
    private void beat() {
        if (isClosed) {
            return;
        }
        try {
            endPeriod();
        } finally {
            loop.schedule(this::beat, limits().voteHeartbeatMs());
        }
    }

    private void endPeriod() {
        long heard = 0;
        long connected = 0;
        for (int peer = 0; peer < links.length; peer++) {
            PeerLink link = links[peer];
            if (link == null || !link.isUp()) {
                continue;
            }
            if (!link.takeWritten()) {
                try {
                    sendHeartbeat(peer);
                } catch (Throwable failure) {
                    warn(peer, "heartbeat to node " + peer + " failed", failure);
                }
            }
            connected |= 1L << peer;
            heard |= link.takeRead() ? 1L << peer : 0;
        }
        try {
            listener.onHeard(heard, connected);
        } catch (Throwable failure) {
            warn(config.nodeId(), "the peers of a period were not reported", failure);
        }
    }

    /** Logs what no caller hears of: a failure of a task on the loop ends nothing else. */
    private void warn(int peer, String fact, Throwable failure) {
        String line = failureLines.of(
                peer, "node " + config.nodeId() + ": " + role + ": " + fact + ": " + failure, System.nanoTime());
        if (!line.isEmpty()) {
            LOG.warn(line, failure);
        }
    }

    private void listen() throws IOException {
        InetSocketAddress address =
                new InetSocketAddress(config.bindHost(), port(config.nodes().node(config.nodeId())));
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop.group())
                .channel(loop.serverChannelType())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, WAITING_MAX)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITE_MARKS)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        onAccepted(channel);
                    }
                });
        EventLoops.acceptOnFirstBytes(bootstrap, Math.max(1, limits().handshakeTimeoutMs() / MS_PER_S));
        var bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException("cannot listen for " + role + " connections on " + address, bound.cause());
        }
        server = bound.channel();
    }

    void close() {
        isClosed = true;
        if (server != null) {
            loop.await(server.close());
        }
        loop.execute(() -> {
            for (PeerLink link : links) {
                if (link != null && link.isUp()) {
                    link.channel().close();
                }
            }
        });
        loop.close();
    }

    private void onAccepted(Channel channel) {
        handshakePlaces.onAccepted(channel);
        HandshakeHandler handler =
                new HandshakeHandler.Acceptor(this, new AcceptorHandshake(handshakes, role, outbox.frameCounter()));
        handler.whenRemoved(() -> handshakePlaces.onOver(channel));
        channel.pipeline().addLast(handler);
    }

    /**
     * A connection has said that it is this peer, and nothing against it is known yet.
     *
     * @throws HandshakeException if the peer must wait because of what it sent before; whoever takes its name waits,
     *     too
     */
    void onHello(Channel channel, int peer) throws HandshakeException {
        int waitMs = penalties.waitMs(peer, System.nanoTime());
        if (waitMs > 0) {
            throw HandshakeException.penalty(peer, waitMs);
        }
        handshakePlaces.onHello(channel, peer);
    }

    /** Whatever fails, the peer is dialed again: no other task would. */
    private void dial(int peer) {
        Target target = next[peer];
        try {
            Node node = config.nodes().node(peer, target.place());
            Thread.ofVirtual().start(() -> lookUp(peer, target, node));
        } catch (Throwable failure) {
            onTargetFailed(peer, target, failure);
        }
    }

    /** On a thread of its own: the resolver blocks. */
    private void lookUp(int peer, Target target, Node node) {
        try {
            InetAddress[] addresses = InetAddress.getAllByName(node.getHost());
            InetAddress address = addresses[target.address() % addresses.length];
            loop.execute(() -> {
                dialed[peer] = target;
                next[peer] = target.after(addresses.length);
                connect(peer, address, port(node));
            });
        } catch (Throwable failure) {
            onTargetFailed(peer, target, failure);
        }
    }

    /** No address of the place was found. Any thread. */
    private void onTargetFailed(int peer, Target target, Throwable failure) {
        loop.execute(() -> {
            next[peer] = target.after(0);
            onDialFailed(peer, failure);
        });
    }

    private void connect(int peer, InetAddress host, int port) {
        if (isClosed || links[peer].isUp()) {
            return;
        }
        try {
            connect(peer, new InetSocketAddress(host, port));
        } catch (Throwable failure) {
            onDialFailed(peer, failure);
        }
    }

    private void connect(int peer, InetSocketAddress address) {
        new Bootstrap()
                .group(loop.group())
                .channel(loop.channelType())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITE_MARKS)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, limits().handshakeTimeoutMs())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new HandshakeHandler.Dialer(
                                        Connections.this,
                                        new DialerHandshake(handshakes, role, peer, outbox.frameCounter()),
                                        peer));
                    }
                })
                .connect(address)
                .addListener((ChannelFutureListener) connected -> onDialed(peer, connected));
    }

    /** A channel that could not be made has no end that could be waited for, and no loop. */
    private void onDialed(int peer, ChannelFuture connected) {
        if (connected.isSuccess()) {
            connected.channel().closeFuture().addListener(closed -> redial(peer));
        } else {
            loop.executeSoon(() -> onDialFailed(peer, connected.cause()));
        }
    }

    private void onDialFailed(int peer, Throwable cause) {
        metrics.dialFailures.increment();
        if (cause instanceof IOException || cause instanceof ChannelException) {
            LOG.debug("node {} cannot reach node {} for {}: {}", config.nodeId(), peer, role, cause.getMessage());
        } else {
            warn(peer, "cannot dial node " + peer, cause);
        }
        redial(peer);
    }

    private void redial(int peer) {
        if (isClosed) {
            return;
        }
        int delayMs = Math.max(reconnectDelayMs[peer], penalties.waitMs(peer, System.nanoTime()));
        reconnectDelayMs[peer] = Math.min(2 * reconnectDelayMs[peer], limits().reconnectDelayMaxMs());
        loop.schedule(() -> dial(peer), delayMs);
    }

    void onSession(Channel channel, Session session) {
        int peer = session.peerId();
        PeerLink link = links[peer];
        if (link.isUp()) {
            // The peer proved itself anew, so it has given up the old connection.
            Channel old = link.channel();
            onLost(peer, old);
            old.close();
        }
        long framesPerKey = limits().framesPerKey();
        FrameCode receiveCode = new FrameCode(session.receiveKeys().codeKey(), session.receiveCounter(), framesPerKey);
        FrameAuthenticator authenticator =
                new FrameAuthenticator(peer, config.nodeId(), receiveCode, session.receiveCounter());
        int payloadLengthMax = role == ConnectionRole.VOTE ? limits().voteLengthMax() : limits().payloadLengthMax();
        channel.pipeline()
                .addLast(new RecordDecoder(session.receiveKeys().recordKey()))
                .addLast(new RecordEncoder(session.sendKeys().recordKey()))
                .addLast(new FrameDecoder(payloadLengthMax))
                .addLast(
                        new IdleStateHandler(limits().silenceMaxMs(), limits().heartbeatMs(), 0, TimeUnit.MILLISECONDS))
                .addLast(new FrameHandler(this, channel, authenticator, session.peerEpoch()));
        link.connect(channel, new FrameCode(session.sendKeys().codeKey(), session.sendCounter(), framesPerKey));
        reconnectDelayMs[peer] = limits().reconnectDelayMinMs();
        next[peer] = dialed[peer];
        metrics.sessions.increment();
        log(peer, "of epoch " + session.peerEpoch() + " at " + channel.remoteAddress());
        listener.onUp(role, peer, session.peerEpoch());
    }

    void onLost(int peer, Channel channel) {
        PeerLink link = links[peer];
        if (!link.isOn(channel)) {
            return;
        }
        link.disconnect();
        metrics.lost.increment();
        log(peer, "ended");
        listener.onDown(role, peer);
    }

    private void log(int peer, String event) {
        String line = sessionLines.of(
                peer,
                "node " + config.nodeId() + ": " + role + " session with node " + peer + " " + event,
                System.nanoTime());
        if (!line.isEmpty()) {
            LOG.info(line);
        }
    }

    void onRead(int peer, Channel channel) {
        if (links[peer].isOn(channel)) {
            links[peer].onRead();
        }
    }

    void onWritable(int peer) {
        links[peer].flush();
    }

    void sendHeartbeat(int peer) {
        outbox.send(peer, FrameContent.heartbeat());
        links[peer].flush();
    }

    /** A handshake ended without a session. */
    void onRefused(Channel channel, HandshakeException refused) {
        metrics.refuse(refused.refusal());
        refusalLog.refused(channel.remoteAddress(), refused.getMessage());
    }

    /** One who says that it is this peer has refused this node's id or key. */
    void onIdentityRefused(int peer) {
        listener.onIdentityRefused(peer);
    }

    /**
     * Something came on a proven connection that no correct node sends, and that only the peer can have sent: its next
     * connection must wait. Any thread; the caller goes on before the connection is closed if it is another than the
     * loop's.
     */
    void onFault(int peer, Channel channel, String fact) {
        loop.executeSoon(() -> {
            // A connection that is closed already has been refused for what came before.
            if (channel.isOpen()) {
                penalties.onFault(peer, System.nanoTime());
                onRefused(peer, channel, fact);
            }
        });
    }

    /** Runs a task on the loop later, unless the loop has ended. */
    void schedule(Runnable task, int delayMs) {
        loop.schedule(task, delayMs);
    }

    /** A proven connection ends because of what came, or did not come, on it. */
    void onRefused(int peer, Channel channel, String fact) {
        refusalLog.refused(channel.remoteAddress(), "session with node " + peer + " closed: " + fact);
        channel.close();
    }

    void onFailed(Channel channel, Throwable cause) {
        if (cause instanceof IOException) {
            refusalLog.refused(channel.remoteAddress(), cause.getMessage());
        } else {
            refusalLog.refused(channel.remoteAddress(), cause.toString());
            LOG.debug("node {}: {} connection {}", config.nodeId(), role, channel.remoteAddress(), cause);
        }
    }

    private static Descriptors.Port port(ConnectionRole of) {
        return of == ConnectionRole.VOTE ? Descriptors.Port.VOTES : Descriptors.Port.PAYLOADS;
    }

    private int port(Node of) {
        return role == ConnectionRole.VOTE ? of.getVotePort() : of.getPayloadPort();
    }
}
