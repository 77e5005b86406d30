package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node as a process whose files get no more room. It ends and says why, the others go on, and it comes back when
 * there is room.
 */
@Timeout(300)
class FullDiskTest {
    private static final int STORAGE_FAILED = 74;
    private static final int LIMITED = 3;
    private static final int BATCHES_MAX = 400;

    @Test
    void shouldStopVotingAndEndWhenTheArchiveCannotGrow() throws Exception {
        endsWhenFilesMayNotGrow(cluster -> Files.size(newest(cluster, "archive", ".blocks")), "block .*File too large");
    }

    @Test
    void shouldEndBeforeItVotesWhenItsLogsCannotGrow() throws Exception {
        // Whichever is written first: a batch and the proposal that names it come on two connections.
        endsWhenFilesMayNotGrow(cluster -> 1L, "(replica|payload) log.*File too large");
    }

    private interface Limit {
        long bytes(TestCluster cluster) throws IOException;
    }

    private static void endsWhenFilesMayNotGrow(Limit limit, String message) throws Exception {
        SmallDisk.assumeLimits();
        try (TestCluster cluster = TestCluster.start()) {
            endsAndComesBack(
                    cluster,
                    List.of(),
                    process -> {
                        // A result that comes later is noted in the archive, too, and would be the first to fail.
                        long height = cluster.node(0).status().getLastDelivered();
                        cluster.await(
                                "the process has all results",
                                () -> status(cluster).getLastExecuted() == height);
                        SmallDisk.limitFileSize(process, limit.bytes(cluster));
                    },
                    message);
        }
    }

    @Test
    void shouldEndWhenThePagesOfTheQueueFindNoRoom() throws Exception {
        endsWhenItsDiskIsFull(node -> node.blockQueue().getParent(), "a fault occurred in an unsafe memory access");
    }

    @Test
    void shouldEndBeforeItAcknowledgesWhenThePayloadLogFindsNoRoom() throws Exception {
        endsWhenItsDiskIsFull(NodeDirectory::payloadLog, "payload log.*No space left");
    }

    private static void endsWhenItsDiskIsFull(Function<NodeDirectory, Path> onSmallDisk, String message)
            throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            SmallDisk disk = SmallDisk.of(onSmallDisk.apply(cluster.nodeDirectory(LIMITED)));

            endsAndComesBack(cluster, disk.wrapper(), disk::fill, message);
        }
    }

    private interface Trouble {
        void bringTo(Process process) throws Exception;
    }

    private static void endsAndComesBack(TestCluster cluster, List<String> wrapper, Trouble trouble, String message)
            throws Exception {
        TestBroker broker = cluster.broker(1);
        cluster.kill(LIMITED);
        Process process = cluster.startProcess(LIMITED, wrapper);
        // Through a pipe: a log on the full disk could not say anything either.
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        Thread reader =
                Thread.ofPlatform().start(() -> process.inputReader().lines().forEach(lines::add));
        int batches = 0;
        try {
            cluster.await("the process takes part", () -> lastDelivered(cluster) >= 0);
            for (int i = 1; i <= 20; i++) {
                broker.submitTo(i % LIMITED, broker.batch(20));
                cluster.awaitCommitted(++batches);
            }
            long height = cluster.node(0).status().getLastDelivered();
            cluster.await("the process has all blocks", () -> lastDelivered(cluster) == height);

            trouble.bringTo(process);
            while (process.isAlive() && batches < BATCHES_MAX) {
                broker.submitTo(batches % LIMITED, broker.batch(250));
                cluster.awaitCommitted(++batches);
            }

            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            reader.join();
            assertThat(process.exitValue()).as(String.join("\n", lines)).isEqualTo(STORAGE_FAILED);
            assertThat(lines.get(lines.size() - 1))
                    .startsWith("FATAL")
                    .contains("stops voting")
                    .containsPattern(message);
        } finally {
            process.destroyForcibly().waitFor();
        }

        cluster.startNode(LIMITED);
        broker.submitTo(0, broker.batch(1));
        cluster.awaitCommitted(batches + 1);
        cluster.assertEqualChains();
    }

    private static long lastDelivered(TestCluster cluster) {
        try {
            return status(cluster).getLastDelivered();
        } catch (StatusRuntimeException e) {
            return -1; // It does not answer yet.
        }
    }

    private static NodeStatus status(TestCluster cluster) {
        return cluster.gateway(LIMITED).getNodeStatus(GetNodeStatusRequest.getDefaultInstance());
    }

    private static Path newest(TestCluster cluster, String directory, String suffix) throws IOException {
        try (Stream<Path> files =
                Files.list(cluster.nodeDirectory(LIMITED).root().resolve(directory))) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }
}
