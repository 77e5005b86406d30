package io.sealbook.perf.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Links between a dialer, member 2, and a member, 1, through the proxy. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MemberProxyTest {
    private static final int DIALER = 2;
    private static final int MEMBER = 1;
    private static final int HELLO_LENGTH = 128;
    /** A wait in which nothing must come: what passes for lost on a slow machine only comes later. */
    private static final int SILENCE_MS = 200;

    private final LinkTable links = new LinkTable(4);
    private final MemberProxy proxy = MemberProxy.of(links);
    private ServerSocket member;
    private int port;

    @BeforeEach
    void listen() throws IOException {
        member = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        port = proxy.listen(MEMBER, 0, (InetSocketAddress) member.getLocalSocketAddress(), true);
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        member.close();
    }

    @Test
    void shouldCarryBytesBothWays() throws IOException {
        try (Socket dialer = dial();
                Socket accepted = accept()) {
            accepted.getOutputStream().write(7);
            assertThat(dialer.getInputStream().read()).isEqualTo(7);
            dialer.getOutputStream().write(8);
            assertThat(accepted.getInputStream().read()).isEqualTo(8);
        }
    }

    @Test
    void shouldHoldOneDirectionUntilItIsHealed() throws IOException {
        try (Socket dialer = dial();
                Socket accepted = accept()) {
            links.set(DIALER, MEMBER, LinkCondition.HELD);
            dialer.getOutputStream().write(8);
            accepted.getOutputStream().write(7);

            assertThat(dialer.getInputStream().read()).isEqualTo(7);
            accepted.setSoTimeout(SILENCE_MS);
            assertThatThrownBy(() -> accepted.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

            links.heal();
            accepted.setSoTimeout(0);
            assertThat(accepted.getInputStream().read()).isEqualTo(8);
        }
    }

    @Test
    void shouldEndConnectionsOfACutLinkAndCloseNewOnes() throws IOException {
        try (Socket dialer = dial();
                Socket accepted = accept()) {
            links.set(MEMBER, DIALER, LinkCondition.CUT);
            proxy.cutConnections();

            assertThat(isEnded(dialer)).isTrue();
            assertThat(isEnded(accepted)).isTrue();
            try (Socket again = dial()) {
                assertThat(isEnded(again)).isTrue();
            }
            links.heal();
        }
        try (Socket dialer = dial();
                Socket accepted = accept()) {
            accepted.getOutputStream().write(7);
            assertThat(dialer.getInputStream().read()).isEqualTo(7);
        }
    }

    @Test
    void shouldEndAConnectionThatLosesEachRead() throws IOException {
        try (Socket dialer = dial();
                Socket accepted = accept()) {
            links.set(DIALER, MEMBER, LinkCondition.lossy(1_000));
            dialer.getOutputStream().write(8);

            assertThat(isEnded(accepted)).isTrue();
        }
    }

    @Test
    void shouldDelayBytes() throws IOException {
        try (Socket dialer = dial();
                Socket accepted = accept()) {
            links.set(DIALER, MEMBER, LinkCondition.slow(SILENCE_MS, 0));
            long startNs = System.nanoTime();
            dialer.getOutputStream().write(8);

            assertThat(accepted.getInputStream().read()).isEqualTo(8);
            assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(SILENCE_MS));
        }
    }

    @Test
    void shouldNarrowALink() throws IOException {
        try (Socket dialer = dial();
                Socket accepted = accept()) {
            links.set(DIALER, MEMBER, LinkCondition.slow(0, 10_000));
            long startNs = System.nanoTime();
            dialer.getOutputStream().write(new byte[5_000]);

            new DataInputStream(accepted.getInputStream()).readFully(new byte[5_000]);
            assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    @Test
    void shouldNarrowWhatAMemberSendsOnAllItsLinks() throws IOException {
        links.setEgress(10_000);
        try (Socket one = dial();
                Socket acceptedOne = accept();
                Socket other = dial();
                Socket acceptedOther = accept()) {
            long startNs = System.nanoTime();
            one.getOutputStream().write(new byte[2_500]);
            other.getOutputStream().write(new byte[2_500]);

            new DataInputStream(acceptedOne.getInputStream()).readFully(new byte[2_500]);
            new DataInputStream(acceptedOther.getInputStream()).readFully(new byte[2_500]);
            assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    @Test
    void shouldLeaveLinksOfOtherMembersAlone() throws IOException {
        links.set(3, MEMBER, LinkCondition.CUT);
        links.set(MEMBER, 3, LinkCondition.CUT);
        try (Socket dialer = dial();
                Socket accepted = accept()) {
            proxy.cutConnections();
            dialer.getOutputStream().write(8);
            assertThat(accepted.getInputStream().read()).isEqualTo(8);
        }
    }

    /** Sends a hello that names the dialer. */
    private Socket dial() throws IOException {
        Socket dialer = new Socket(InetAddress.getLoopbackAddress(), port);
        byte[] hello = new byte[HELLO_LENGTH];
        hello[10] = DIALER;
        dialer.getOutputStream().write(hello);
        return dialer;
    }

    /** Accepts what the proxy dials, and reads the hello. */
    private Socket accept() throws IOException {
        Socket accepted = member.accept();
        byte[] hello = new byte[HELLO_LENGTH];
        new DataInputStream(accepted.getInputStream()).readFully(hello);
        assertThat(hello[10]).isEqualTo((byte) DIALER);
        return accepted;
    }

    private static boolean isEnded(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }
}
