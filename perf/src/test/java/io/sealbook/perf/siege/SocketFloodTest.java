package io.sealbook.perf.siege;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SocketFloodTest {
    private static final int SOCKETS = 10;

    @Test
    void shouldCountSocketsThatHaveConnected() throws Exception {
        try (ServerSocket server = acceptingServer();
                SocketFlood flood = SocketFlood.begin(List.of(server.getLocalPort()), SOCKETS, new byte[] {1})) {
            assertThat(flood.opened()).isGreaterThanOrEqualTo(SOCKETS);
            flood.check();
        }
    }

    @Test
    void shouldFailAtAPortAtWhichNoProcessListens() throws Exception {
        try (ServerSocket server = acceptingServer();
                Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(Besieged.HOST, 0));
            List<Integer> ports = List.of(server.getLocalPort(), bound.getLocalPort());

            assertThatThrownBy(
                            () -> SocketFlood.begin(ports, SOCKETS, new byte[0]).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("0 connected to port " + bound.getLocalPort());
        }
    }

    /** Accepts until it is closed. */
    private static ServerSocket acceptingServer() throws IOException {
        ServerSocket server = new ServerSocket(0, 10 * SOCKETS, InetAddress.getByName(Besieged.HOST));
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    server.accept().close();
                }
            } catch (IOException e) {
                // The test is over.
            }
        });
        return server;
    }
}
