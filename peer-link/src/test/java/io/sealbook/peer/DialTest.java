package io.sealbook.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.ChannelException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.sealbook.facts.Facts;
import io.sealbook.peer.handshake.ConnectionRole;
import io.sealbook.protocol.v1.Node;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class DialTest {
    private static final AtomicInteger TRIES = new AtomicInteger();

    /** What a system that has no descriptor left makes of a socket. */
    public static final class NoSocket extends NioSocketChannel {
        public NoSocket() {
            TRIES.incrementAndGet();
            throw new ChannelException("too many open files");
        }
    }

    @Test
    void shouldDialEachAddressThatAPeerMayHave() throws Exception {
        Members members = Members.four();
        Node deserted = members.genesis.genesis().getNodes(3);
        EpochNodes nodes = new EpochNodes(
                0,
                0,
                members.genesis.genesis(),
                members.genesis.digest(),
                node -> node.getNodeId() == 0 ? List.of(deserted, node) : List.of(node),
                List.of());
        PeerConfig config =
                Members.config(1, nodes, members.signers.get(1), PeerConfig.Offload.EVENT_LOOP, PeerLimits.DEFAULTS);
        try (Peer dialed = Peer.start(members, 0);
                Peer dialing = new Peer(members, config)) {
            Facts.await(
                    "a session with node 0",
                    () -> dialing.transport.connected().contains(0)
                            && dialed.transport.connected().contains(1));
        }
    }

    /** As of a host with IPv6 and IPv4 whose node listens on one of them. */
    @Test
    void shouldDialEachAddressOfAName() throws Exception {
        Members members = Members.four();
        PeerConfig config = ofNode1(members, TwoAddresses.DESERTED_FIRST, PeerLimits.DEFAULTS);
        try (Peer dialed = Peer.start(members, 0);
                Peer dialing = new Peer(members, config)) {
            Facts.await(
                    "a session with node 0",
                    () -> dialing.transport.connected().contains(0)
                            && dialed.transport.connected().contains(1));
        }
    }

    /** Node 0 ends each session, as it hears nothing on it. */
    @ParameterizedTest
    @ValueSource(strings = {"vote", "payload"})
    void shouldDialTheAddressAgainThatASessionWasAt(String role) throws Exception {
        Members members = Members.four();
        PeerConfig silent = ofNode1(members, TwoAddresses.DESERTED_LAST, beating(30_000, 60_000));
        PeerConfig impatient = members.config(0, PeerConfig.Offload.EVENT_LOOP, beating(50, 100));
        try (Peer dialed = new Peer(members, impatient);
                Peer dialing = new Peer(members, silent)) {
            Facts.await(
                    "three sessions with node 0",
                    () -> dialing.count("sealbook.peer.connections", "role", role, "event", "established") >= 3);

            assertThat(dialed.count("sealbook.peer.connections", "role", role, "event", "lost"))
                    .isGreaterThanOrEqualTo(2);
            assertThat(dialing.count("sealbook.peer.connections", "role", role, "event", "dial_failed"))
                    .isZero();
        }
    }

    /** As after a wrong entry in a record of addresses, or an error of the resolver. */
    @Test
    void shouldDialAgainWhateverFailed() throws Exception {
        Members members = Members.four();
        EpochNodes nodes = new EpochNodes(
                0,
                0,
                members.genesis.genesis(),
                members.genesis.digest(),
                node -> node.getNodeId() == 0
                        ? List.of(
                                node.toBuilder()
                                        .setVotePort(1 << 16)
                                        .setPayloadPort(1 << 16)
                                        .build(),
                                node.toBuilder().setHost(TwoAddresses.FAILING).build(),
                                node)
                        : List.of(node),
                List.of());
        PeerConfig config =
                Members.config(1, nodes, members.signers.get(1), PeerConfig.Offload.EVENT_LOOP, PeerLimits.DEFAULTS);
        try (Peer dialed = Peer.start(members, 0);
                Peer dialing = new Peer(members, config)) {
            Facts.await(
                    "a session with node 0",
                    () -> dialing.transport.connected().contains(0)
                            && dialed.transport.connected().contains(1));
            for (String role : List.of("vote", "payload")) {
                assertThat(dialing.count("sealbook.peer.connections", "role", role, "event", "dial_failed"))
                        .isGreaterThanOrEqualTo(2);
            }
        }
    }

    @Test
    void shouldReportPeriodsAgainAfterAFailure() throws Exception {
        Members members = Members.four();
        PeerConfig config = members.config(1, PeerConfig.Offload.EVENT_LOOP, beating(50, 60_000));
        try (Peer dialed = Peer.start(members, 0);
                Peer failing = new Peer(members, config)) {
            Facts.await("node 0 is heard", () -> failing.heard.contains(1L));

            failing.hearingFailures.add(new IllegalStateException("the inbox failed"));
            Facts.await("a report fails", failing.hearingFailures::isEmpty);

            failing.heard.clear();
            Facts.await("node 0 is heard again", () -> failing.heard.contains(1L));
            assertThat(dialed.transport.connected()).contains(1);
        }
    }

    @Test
    void shouldDialAgainWhenThereWasNoSocket() throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        RoleLoop loop = new RoleLoop(group, group.next(), true, NioServerSocketChannel.class, NoSocket.class);
        PeerConfig config = Members.four().config(1, PeerConfig.Offload.EVENT_LOOP, PeerLimits.DEFAULTS);
        PeerMetrics metrics = new PeerMetrics(new SimpleMeterRegistry(), ConnectionRole.PAYLOAD);
        // Nothing is accepted, and no session begins.
        Connections connections = new Connections(ConnectionRole.PAYLOAD, config, null, null, metrics, loop, null);
        try {
            connections.start();

            Facts.await("node 0 is dialed again", () -> TRIES.get() >= 3);
        } finally {
            connections.close();
        }
    }

    /** Returns the configuration of a node that knows all members by this name. */
    private static PeerConfig ofNode1(Members members, String name, PeerLimits limits) {
        EpochNodes nodes = new EpochNodes(
                0,
                0,
                members.genesis.genesis(),
                members.genesis.digest(),
                node -> List.of(node.toBuilder().setHost(name).build()),
                List.of());
        return Members.config(1, nodes, members.signers.get(1), PeerConfig.Offload.EVENT_LOOP, limits);
    }

    private static PeerLimits beating(int heartbeatMs, int silenceMaxMs) {
        PeerLimits usual = PeerLimits.DEFAULTS;
        return new PeerLimits(
                usual.voteLengthMax(),
                usual.payloadLengthMax(),
                usual.voteQueueBytesMax(),
                usual.payloadQueueBytesMax(),
                usual.inboxPerPeerMax(),
                usual.handshakesMax(),
                usual.handshakesPerPeerMax(),
                usual.framesPerKey(),
                usual.handshakeTimeoutMs(),
                heartbeatMs,
                heartbeatMs,
                silenceMaxMs,
                usual.reconnectDelayMinMs(),
                usual.reconnectDelayMaxMs());
    }
}
