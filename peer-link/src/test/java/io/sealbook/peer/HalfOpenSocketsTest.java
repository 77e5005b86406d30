package io.sealbook.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.Facts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stranger who opens sockets, says nothing on them and opens them again when they are closed. */
@Timeout(300)
class HalfOpenSocketsTest {
    /** More than the places for connections that are not proven. */
    private static final int SOCKETS = 80;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private Members members;
    private Peer zero;

    @BeforeEach
    void startMembers() throws Exception {
        members = Members.four();
        zero = Peer.start(members, 0);
        for (int i = 1; i < 4; i++) {
            open(Peer.start(members, i));
        }
        Facts.await("mesh", () -> zero.transport.connected().size() == 3);
    }

    @AfterEach
    void close() throws Exception {
        zero.close();
        for (AutoCloseable closeable : opened.reversed()) {
            closeable.close();
        }
    }

    /** The second address is that of the members themselves. */
    @ParameterizedTest(name = "from {0}, saying ''{1}''")
    @CsvSource({"127.0.0.2, ''", "127.0.0.1, ''", "127.0.0.2, S", "127.0.0.1, S"})
    void shouldNotKeepARestartedNodeWithoutPeers(String address, String firstBytes) throws Exception {
        byte[] bytes = firstBytes.getBytes(StandardCharsets.US_ASCII);
        HalfOpenSockets votes = open(new HalfOpenSockets(address, members.votePort(0), SOCKETS, bytes));
        HalfOpenSockets payloads = open(new HalfOpenSockets(address, members.payloadPort(0), SOCKETS, bytes));
        Facts.await(
                "more sockets than places", () -> Math.min(votes.connectCount(), payloads.connectCount()) >= SOCKETS);

        zero.close();
        zero = Peer.start(members, 0);

        Facts.await("all members joined", () -> zero.transport.connected().size() == 3);
        assertThat(zero.transport.connected()).containsExactlyInAnyOrder(1, 2, 3);
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.add(closeable);
        return closeable;
    }
}
