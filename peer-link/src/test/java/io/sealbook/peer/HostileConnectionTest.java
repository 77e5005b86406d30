package io.sealbook.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.sealbook.facts.Facts;
import io.sealbook.peer.messagelog.MessageLogConfig;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What may come on the ports besides peers, and peers that misbehave. */
@Timeout(300)
class HostileConnectionTest {
    private static final int SILENCE_MAX_MS = 20_000;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Members members;
    private Peer zero;
    private Peer one;

    @BeforeEach
    void start() throws Exception {
        members = Members.four();
        zero = open(Peer.start(members, 0));
        one = open(Peer.start(members, 1));
        Facts.await("connection", () -> zero.transport.connected().contains(1));
        Facts.await("connection", () -> one.transport.connected().contains(0));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable closeable : opened.reversed()) {
            closeable.close();
        }
    }

    @Test
    void shouldCloseOnGarbageCountItAndDisturbNobody() throws Exception {
        Random random = new Random(2);
        for (int port : new int[] {members.votePort(0), members.payloadPort(0)}) {
            for (int i = 0; i < 10; i++) {
                byte[] garbage = new byte[1 + random.nextInt(5_000)];
                random.nextBytes(garbage);
                garbage[0] = 'G';
                Socket socket = open(new Socket("127.0.0.1", port));
                socket.getOutputStream().write(garbage);
                socket.shutdownOutput();
                awaitClosed(socket);
            }
        }

        Facts.await("garbage counted", () -> zero.count("sealbook.peer.refused") >= 18);
        one.transport.broadcast(one.commit(1));
        Facts.await("vote", () -> zero.drain() >= 0 && zero.votes.contains(one.commit(1)));
        assertThat(zero.count("sealbook.peer.connections", "event", "lost")).isZero();
    }

    @Test
    void shouldCloseConnectionsThatBeginAndNeverEndTheirHello() throws IOException {
        Members others = Members.four();
        PeerLimits impatient = limits(100, 3, PeerLimits.DEFAULTS.voteQueueBytesMax());
        open(new Peer(others, others.config(0, PeerConfig.Offload.EVENT_LOOP, impatient)));

        for (int i = 0; i < 6; i++) {
            Socket socket = open(new Socket("127.0.0.1", others.votePort(0)));
            socket.getOutputStream().write('S');
            awaitClosed(socket);
        }
    }

    @Test
    void shouldAcceptOnlySoManyUnprovenConnections() throws Exception {
        Members others = Members.four();
        PeerLimits few = limits(60_000, 3, PeerLimits.DEFAULTS.voteQueueBytesMax());
        Peer peer = open(new Peer(others, others.config(0, PeerConfig.Offload.EVENT_LOOP, few)));
        for (int i = 0; i < 5; i++) {
            open(new Socket("127.0.0.1", others.votePort(0))).getOutputStream().write('S');
        }

        Facts.await("two turned away", () -> peer.count("sealbook.peer.refused", "reason", "too_many_handshakes") == 2);
    }

    /** In a long queue a member's handshake would time out before it is read. */
    @Test
    void shouldLetFewConnectionsWaitWhileItsLoopIsBehind() throws Exception {
        assumeTrue(Epoll.isAvailable(), "needs glibc: no epoll");
        Members others = Members.four();
        Peer peer = open(Peer.onOneLoop(others, others.config(0, PeerConfig.Offload.EVENT_LOOP, PeerLimits.DEFAULTS)));
        CountDownLatch isTried = new CountDownLatch(1);
        peer.occupyLoop(() -> await(isTried));
        int waiting = 0;
        try {
            while (waiting < 1_000 && isConnected(open(new Socket()), others.votePort(0))) {
                waiting++;
            }
        } finally {
            isTried.countDown();
        }

        assertThat(waiting).isLessThan(1_000);
    }

    private static boolean isConnected(Socket socket, int port) throws IOException {
        try {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
        } catch (SocketTimeoutException e) {
            return false;
        }
        socket.getOutputStream().write('S');
        return true;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldLeaveSilentConnectionsWithTheSystem() throws Exception {
        assumeTrue(Epoll.isAvailable(), "needs glibc: no epoll");
        Members others = Members.four();
        PeerLimits few = limits(60_000, 3, PeerLimits.DEFAULTS.voteQueueBytesMax());
        Peer peer = open(new Peer(others, others.config(0, PeerConfig.Offload.EVENT_LOOP, few)));
        for (int i = 0; i < 5; i++) {
            open(new Socket("127.0.0.1", others.votePort(0)));
        }
        List<Socket> talking = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            talking.add(open(new Socket("127.0.0.1", others.votePort(0))));
            talking.get(i).getOutputStream().write('S');
        }

        // Were the silent ones accepted, each of them would make room before one that talks does.
        Facts.await(
                "room was made among those that talk",
                () -> talking.stream().anyMatch(HostileConnectionTest::isClosed));
        assertThat(peer.count("sealbook.peer.refused", "reason", "too_many_handshakes"))
                .isEqualTo(1);
    }

    @Test
    void shouldTellANodeWithAnotherGenesisAndNotTalkToIt() throws Exception {
        PeerConfig strange = new PeerConfig(
                2,
                EpochNodes.first(members.otherGenesis()),
                members.signers.get(2),
                Members.VERIFIER,
                "127.0.0.1",
                PeerConfig.Offload.EVENT_LOOP,
                PeerLimits.DEFAULTS,
                MessageLogConfig.defaults(1));
        Peer stranger = open(new Peer(members, strange));

        Facts.await(
                "refusal seen here",
                () -> zero.count("sealbook.peer.refused", "reason", "handshake_genesis_mismatch") > 0);
        Facts.await(
                "refusal seen there",
                () -> stranger.count("sealbook.peer.refused", "reason", "handshake_refused_by_peer") > 0);
        assertThat(zero.transport.connected()).containsExactly(1);
        assertThat(stranger.transport.connected()).isEmpty();
    }

    @Test
    void shouldTellANodeOfAnotherVersionWhichOneThisIs() throws Exception {
        Socket older = open(new Socket("127.0.0.1", members.votePort(0)));
        older.getOutputStream().write(helloOfVersion1());
        byte[] answer = older.getInputStream().readAllBytes();

        Facts.await("refusal seen here", () -> zero.count("sealbook.peer.refused", "reason", "handshake_version") == 1);
        assertThat(answer)
                .startsWith("SBHS".getBytes(StandardCharsets.US_ASCII))
                .hasSize(48);
        assertThat(answer[4]).as("version").isEqualTo((byte) 5);
        assertThat(answer[5]).as("kind").isEqualTo((byte) 5);
        assertThat(answer[8]).as("reason").isEqualTo((byte) 2);
    }

    @Test
    void shouldNotTalkToAnAcceptorOfAnotherVersion() throws Exception {
        Members others = Members.four();
        try (ServerSocket older = new ServerSocket(others.votePort(0), 4, InetAddress.getByName("127.0.0.1"))) {
            Peer dialing = open(Peer.start(others, 1));
            Socket accepted = open(older.accept());
            byte[] hello = accepted.getInputStream().readNBytes(128);
            // What a node of version 1 says to a hello of another one.
            accepted.getOutputStream()
                    .write(HexFormat.of().parseHex("53424853" + "01" + "05" + "3000" + "02" + "00".repeat(39)));

            Facts.await(
                    "refusal seen here",
                    () -> dialing.count("sealbook.peer.refused", "reason", "handshake_version") > 0);
            assertThat(hello[4]).as("version").isEqualTo((byte) 5);
            assertThat(hello[9]).as("version of frames").isEqualTo((byte) 5);
            assertThat(dialing.transport.connected()).isEmpty();
        }
    }

    @Test
    void shouldDropTheOldestVotesForAPeerThatDoesNotRead() throws Exception {
        Members others = Members.four();
        PeerLimits small = limits(5_000, 64, 64 << 10);
        PeerLimits smallInbox = new PeerLimits(
                1 << 20, 1 << 20, 1 << 20, 1 << 20, 8, 64, 8, 1 << 20, 5_000, 1_000, 20, SILENCE_MAX_MS, 20, 200);
        Peer sender = open(new Peer(others, others.config(0, PeerConfig.Offload.EVENT_LOOP, small)));
        Peer slow = open(new Peer(others, others.config(1, PeerConfig.Offload.EVENT_LOOP, smallInbox)));
        Peer quick = open(new Peer(others, others.config(2, PeerConfig.Offload.EVENT_LOOP, PeerLimits.DEFAULTS)));
        Facts.await("mesh", () -> sender.transport.connected().size() == 2);
        long sequence = 0;
        while (sender.count("sealbook.peer.dropped", "role", "vote", "reason", "queue_full") < 100) {
            for (int i = 0; i < 500; i++) {
                sender.transport.send(1, sender.commit(++sequence));
            }
            sender.transport.send(2, sender.commit(sequence));
            quick.drain();
        }
        long last = ++sequence;
        sender.transport.broadcast(sender.commit(last));

        Facts.await(
                "quick peer is not disturbed", () -> quick.drain() >= 0 && quick.votes.contains(sender.commit(last)));
        Facts.await(
                "slow peer gets the newest when it reads",
                () -> slow.drain() >= 0 && slow.votes.contains(sender.commit(last)));
        assertThat(slow.votes).hasSizeLessThan((int) last);
        assertThat(slow.transport.connected()).contains(0);
    }

    private static byte[] helloOfVersion1() {
        ByteBuffer hello = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
        hello.put("SBHS".getBytes(StandardCharsets.US_ASCII)).put((byte) 1).put((byte) 1);
        hello.putShort((short) 128).put((byte) 1).put((byte) 1);
        return hello.array();
    }

    private static PeerLimits limits(int handshakeTimeoutMs, int handshakesMax, int voteQueueBytesMax) {
        return new PeerLimits(
                1 << 20,
                1 << 20,
                voteQueueBytesMax,
                1 << 20,
                4_096,
                handshakesMax,
                8,
                1 << 20,
                handshakeTimeoutMs,
                1_000,
                20,
                SILENCE_MAX_MS,
                20,
                200);
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    private static boolean isClosed(Socket socket) {
        try {
            socket.setSoTimeout(20);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static void awaitClosed(Socket socket) throws IOException {
        socket.setSoTimeout(30_000);
        try (InputStream in = socket.getInputStream()) {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (SocketException | EOFException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }
}
