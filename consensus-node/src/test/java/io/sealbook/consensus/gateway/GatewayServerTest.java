package io.sealbook.consensus.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.UnixOperatingSystemMXBean;
import io.sealbook.facts.Facts;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway that does not serve leaves behind: nothing. */
@Timeout(300)
class GatewayServerTest {
    private static final int IN_FLIGHT_MAX = 64;
    private static final int TIMES = 20;

    @TempDir
    private Path directory;

    @Test
    void shouldEndItsThreadsWhenThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                ServedGateway gateway = new ServedGateway(directory, taken.getLocalPort(), IN_FLIGHT_MAX)) {
            Set<Thread> before = gatewayThreads();

            assertThatIOException().isThrownBy(gateway.server::start);

            awaitNoneBut(before);
        }
    }

    @Test
    void shouldStartOnceThePortIsFree() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                ServedGateway gateway = new ServedGateway(directory, taken.getLocalPort(), IN_FLIGHT_MAX)) {
            assertThatIOException().isThrownBy(gateway.server::start);
            taken.close();

            gateway.server.start();

            assertThat(gateway.server.port()).isEqualTo(taken.getLocalPort());
        }
    }

    /** An event loop holds descriptors from its construction on, and its thread only from its first task on. */
    @Test
    void shouldHoldNoDescriptorsBeforeItsStart() {
        try (ServedGateway gateway = new ServedGateway(directory, 0, IN_FLIGHT_MAX)) {
            long before = descriptorCount();

            for (int i = 0; i < TIMES; i++) {
                assertThat(gateway.anotherServer()).isNotNull();
            }

            assertThat(descriptorCount() - before).isLessThan(TIMES);
        }
    }

    @Test
    void shouldEndItsThreadsWhenItIsClosed() throws Exception {
        try (ServedGateway gateway = new ServedGateway(directory, 0, IN_FLIGHT_MAX)) {
            Set<Thread> before = gatewayThreads();
            gateway.server.start();

            gateway.server.close();

            awaitNoneBut(before);
            assertThatIllegalStateException().isThrownBy(gateway.server::start);
        }
    }

    private static long descriptorCount() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }

    private static void awaitNoneBut(Set<Thread> before) throws Exception {
        Facts.await(() -> "the end of " + gatewayThreads(), () -> before.containsAll(gatewayThreads()));
    }

    private static Set<Thread> gatewayThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("gateway"))
                .collect(Collectors.toSet());
    }
}
