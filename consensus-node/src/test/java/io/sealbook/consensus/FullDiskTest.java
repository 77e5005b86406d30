package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SessionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node as a process whose files get no more room. It ends and says why, the others go on, and it comes back when
 * there is room. What binds no vote ends nothing.
 */
@Timeout(300)
class FullDiskTest {
    private static final int STORAGE_FAILED = 74;
    private static final int LIMITED = 3;
    private static final int BATCHES_MAX = 400;

    @TempDir
    private Path copies;

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

    /** Evidence binds no vote: a node that cannot write it goes on, says so, and writes it when there is room. */
    @Test
    void shouldGoOnAndKeepEvidenceUntilThereIsRoom() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            SmallDisk disk = SmallDisk.of(cluster.nodeDirectory(LIMITED).evidence());
            TestBroker broker = cluster.broker(1);
            cluster.kill(LIMITED);
            Process process = cluster.startProcess(LIMITED, disk.wrapper());
            List<String> lines = new CopyOnWriteArrayList<>();
            Thread reader = Thread.ofPlatform()
                    .start(() -> process.inputReader().lines().forEach(lines::add));
            try {
                cluster.await("the process takes part", () -> lastDelivered(cluster) >= 0);
                disk.fill(process);
                signTwice(cluster, broker);
                cluster.await("it reports what it cannot write", () -> hasLine(lines, "evidence cannot be written"));

                broker.submitTo(0, broker.batch(1));
                cluster.awaitCommitted(2);
                cluster.await(
                        "it goes on",
                        () -> lastDelivered(cluster) == cluster.node(0).status().getLastDelivered());
                assertThat(evidenceOf(disk, process)).isEmpty();

                disk.free(process);
                cluster.await("it has written it", () -> hasLine(lines, "all evidence that waited"));
                assertThat(evidenceOf(disk, process)).containsExactly(SessionKey.of(1, TestBroker.SESSIONS - 1));
                assertThat(process.isAlive()).isTrue();
            } finally {
                process.destroyForcibly().waitFor();
                reader.join();
            }
        }
    }

    private static void signTwice(TestCluster cluster, TestBroker broker) throws Exception {
        BatchPosition position = BatchPosition.first(TestBroker.SESSIONS - 1);
        broker.submitTo(0, broker.batch(fields -> fields.position = position));
        cluster.awaitCommitted(1);
        cluster.await(
                "the process has the first one",
                () -> lastDelivered(cluster) == cluster.node(0).status().getLastDelivered());
        assertThat(broker.refusalOf(broker.batch(fields -> fields.position = position)))
                .isEqualTo(RefusalReason.NUMBER_TAKEN);
    }

    private static boolean hasLine(List<String> lines, String part) {
        return lines.stream().anyMatch(line -> line.contains(part));
    }

    /** Copies what the process has: the directory is in use. */
    private List<Long> evidenceOf(SmallDisk disk, Process process) throws IOException {
        try (Stream<Path> files = Files.list(disk.seenBy(process))) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith(EvidenceStore.PREFIX))
                    .toList()) {
                Files.copy(file, copies.resolve(file.getFileName().toString()));
            }
        }
        try (EvidenceStore evidence = EvidenceStore.open(FileStorage.open(copies))) {
            return evidence.sessions().stream()
                    .filter(session -> evidence.read(session).isPresent())
                    .toList();
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
