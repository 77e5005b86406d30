package io.sealbook.perf.siege;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PatienceAttackTest {
    private static final byte[] HALF = {1, 2, 3};

    @Test
    void shouldFailAtAPortAtWhichNoProcessListens() throws Exception {
        try (Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(Besieged.HOST, 0));

            assertThatThrownBy(() -> fault(bound.getLocalPort(), 0)).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void shouldFindAPortThatClosesBeforeItsLimit() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getByName(Besieged.HOST))) {
            CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> closeNext(server));
            assertThat(fault(server.getLocalPort(), Long.MAX_VALUE)).contains("does not wait after");
            closed.join();

            CompletableFuture<Void> closedLater = CompletableFuture.runAsync(() -> closeNext(server));
            assertThat(fault(server.getLocalPort(), 0)).isEmpty();
            closedLater.join();
        }
    }

    private static Optional<String> fault(int port, long minNs) throws IOException {
        return FloodAttacks.patienceFault(SocketFactory.getDefault(), port, HALF, minNs);
    }

    private static void closeNext(ServerSocket server) {
        try {
            server.accept().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
