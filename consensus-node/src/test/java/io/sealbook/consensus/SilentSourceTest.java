package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A source whose connection opens and that never answers, as a cut network or a hung process shows itself. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SilentSourceTest {
    @TempDir
    private Path directory;

    @Test
    void shouldHaveNoSourceBeforeItAnswers() throws Exception {
        try (TestCluster cluster = TestCluster.start(UnaryOperator.identity());
                ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestFollower follower = new TestFollower(directory, cluster, "sources=" + address(silent));
                Socket called = silent.accept()) {
            assertThat(called.isConnected()).isTrue();
            assertThat(follower.status().getSource()).isEmpty();
            assertThat(follower.status().getReady()).isFalse();
            assertThat(follower.status().getState()).isEqualTo("NO_SOURCE");
        }
    }

    /** No block exists: the silent source is not behind, and the other one has nothing to send. */
    @Test
    void shouldLeaveASourceThatDoesNotAnswerAndConnectToItAnew() throws Exception {
        try (TestCluster cluster = TestCluster.start(UnaryOperator.identity());
                ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                TestFollower follower = new TestFollower(
                        directory,
                        cluster,
                        "source-stall-ms=300",
                        "sources=" + address(silent) + ",127.0.0.1:"
                                + cluster.genesis().genesis().getNodes(1).getGatewayPort());
                Socket first = silent.accept()) {
            cluster.await("the other source is ready", () -> follower.status().getReady());

            assertThat(follower.status().getSource()).doesNotEndWith(":" + silent.getLocalPort());
            assertThat(first.isConnected()).isTrue();
            try (Socket second = silent.accept()) {
                assertThat(second.isConnected()).isTrue();
            }
        }
    }

    private static String address(ServerSocket socket) {
        return "127.0.0.1:" + socket.getLocalPort();
    }
}
