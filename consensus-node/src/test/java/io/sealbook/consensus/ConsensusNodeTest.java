package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.facts.Facts;
import io.sealbook.handoff.HandOffException;
import io.sealbook.handoff.HandOffQueues;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node that cannot be opened or started leaves nothing behind: the next attempt in the same process succeeds. */
@Timeout(300)
class ConsensusNodeTest {
    private static final int NODES = 4;

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    private PortBlock ports;
    private NodeDirectory node;
    private Set<Thread> threadsBefore;

    @BeforeEach
    void writeTestnet() throws IOException {
        ports = PortBlock.take(10 * NODES);
        TestGenesis.write(directory, ports.base(), "payload-store-bytes=33554432");
        node = new NodeDirectory(directory.resolve("node0"));
        // Some threads of the libraries live as long as the process; they are there from now on.
        startAndClose(new NodeDirectory(directory.resolve("node1")));
        threadsBefore = Set.copyOf(Thread.getAllStackTraces().keySet());
    }

    @AfterEach
    void giveBackPorts() throws IOException {
        ports.close();
    }

    @Test
    void shouldCloseWhatItOpenedWhenALaterPartCannotBeOpened() throws Exception {
        Files.createDirectories(node.resultQueue().getParent());
        Files.createFile(node.resultQueue());

        assertThatThrownBy(this::open).hasMessageContaining("results");
        awaitNoThreadMore();

        Files.delete(node.resultQueue());
        startAndClose(node);
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldCloseWhatItOpenedWhenTheBlockQueueIsNotReadable() throws Exception {
        try (var queue = HandOffQueues.openForWriting(node.blockQueue());
                var appender = queue.createAppender()) {
            appender.writeBytes(bytes -> bytes.write(new byte[3]));
        }

        assertThatThrownBy(this::open).isInstanceOf(HandOffException.class);
        awaitNoThreadMore();
        assertThatThrownBy(this::open).isInstanceOf(HandOffException.class);
    }

    /** Each port would judge callers by it. */
    @Test
    void shouldNotOpenWithAKeyThatIsOnNoCurve() throws Exception {
        Genesis.Builder genesis = node.readGenesis().genesis().toBuilder();
        genesis.getBrokersBuilder(0).getKeysBuilder(0).getKeyBuilder().setPoint(ByteString.copyFrom(new byte[64]));
        Files.writeString(node.genesisFile(), GenesisFile.toJson(genesis.build()));

        assertThatThrownBy(this::open).isInstanceOf(IllegalArgumentException.class);
        awaitNoThreadMore();
    }

    @Test
    void shouldCloseThoughItWasNeverStarted() throws Exception {
        open().close();

        awaitNoThreadMore();
        startAndClose(node);
    }

    @ParameterizedTest
    @CsvSource({"vote, 0", "payload, 1", "gateway, 2", "admin, 4"})
    void shouldCloseWhenAPortWasTaken(String port, int offset) throws Exception {
        try (ServerSocket taken = new ServerSocket(ports.base() + offset, 1, InetAddress.getLoopbackAddress());
                ConsensusNode first = open()) {
            assertThatThrownBy(first::start)
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining(Integer.toString(taken.getLocalPort()));
        }
        awaitNoThreadMore();

        startAndClose(node);
        assertThat(failures).isEmpty();
    }

    private ConsensusNode open() throws IOException {
        return ConsensusNode.open(node, StartOptions.NONE, failures::add);
    }

    private void startAndClose(NodeDirectory of) throws IOException {
        try (ConsensusNode started = ConsensusNode.open(of, StartOptions.NONE, failures::add)) {
            started.start();

            assertThat(started.adminPort()).isPositive();
        }
    }

    private void awaitNoThreadMore() throws Exception {
        Facts.await(() -> "the end of " + threadsMore(), () -> threadsMore().isEmpty());
    }

    private Set<Thread> threadsMore() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeAll(threadsBefore);
        threads.removeIf(thread -> thread.getName().startsWith("junit"));
        return threads;
    }
}
