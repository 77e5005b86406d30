package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.BlockRepair;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node whose newest blocks are damaged takes part once peers have sent them. If none does, it says so and changes
 * nothing.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DamagedBlockTest {
    private static final int NODE = 3;
    private static final int BATCHES = 6;
    private static final int DAMAGED = 2;

    private static TestBroker committed(TestCluster cluster) throws Exception {
        TestBroker broker = cluster.broker(1);
        for (int i = 1; i <= BATCHES; i++) {
            broker.answerTo(0, broker.batch(1));
            cluster.awaitCommitted(i);
        }
        return broker;
    }

    @Test
    void shouldFetchTheBlockFromAPeerBeforeItTakesPart() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = committed(cluster);
            cluster.kill(NODE);
            Path archive = cluster.nodeDirectory(NODE).archive();
            ArchiveDamage.flipBit(archive, DAMAGED);

            cluster.startNode(NODE);

            assertThat(cluster.node(NODE).metrics().repairedBlocks()).isEqualTo(1);
            assertThat(cluster.node(NODE).status().getDamagedBlocks()).isZero();
            cluster.awaitConnected();
            broker.answerTo(0, broker.batch(1));
            cluster.awaitCommitted(BATCHES + 1);
            cluster.assertEqualChains();
            try (Stream<Path> kept = Files.list(archive.resolve("damaged"))) {
                assertThat(kept).hasSize(1);
            }
        }
    }

    /** All died, and each disk changed another block: each has what another one needs, and none takes part before. */
    @Test
    void shouldRepairAllNodesFromEachOther() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = committed(cluster);
            cluster.awaitEqualHeight();
            for (int i = 0; i < 4; i++) {
                cluster.kill(i);
                ArchiveDamage.flipBit(cluster.nodeDirectory(i).archive(), 1 + i);
            }

            List<CompletableFuture<Void>> starts = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int node = i;
                starts.add(CompletableFuture.runAsync(
                        () -> {
                            try {
                                cluster.startNode(node);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        task -> new Thread(task, "start-" + node).start()));
            }
            starts.forEach(CompletableFuture::join);

            cluster.awaitConnected();
            broker.answerTo(0, broker.batch(1));
            cluster.awaitCommitted(BATCHES + 1);
            cluster.assertEqualChains();
        }
    }

    @Test
    void shouldRefuseToStartIfNoPeerSendsTheBlock() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = committed(cluster);
            cluster.kill(NODE);
            Path archive = cluster.nodeDirectory(NODE).archive();
            Path file = ArchiveDamage.flipBit(archive, DAMAGED);
            byte[] before = Files.readAllBytes(file);
            Files.writeString(
                    cluster.nodeDirectory(NODE).propertiesFile(),
                    "\nstart-repair-wait-ms=0\n",
                    StandardOpenOption.APPEND);

            Process refused = cluster.startProcess(NODE, List.of());
            String output = new String(refused.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(refused.waitFor()).as(output).isNotZero();
            assertThat(output)
                    .contains("block " + DAMAGED + ": block damaged in " + file)
                    .contains("block-archive.jar repair " + archive + " --from COPY --genesis FILE")
                    .doesNotContain("node " + NODE + " ready");
            assertThat(Files.readAllBytes(file)).isEqualTo(before);

            repair(cluster, archive);
            cluster.startNode(NODE);
            cluster.awaitConnected();
            broker.answerTo(0, broker.batch(1));
            cluster.awaitCommitted(BATCHES + 1);
            cluster.assertEqualChains();
        }
    }

    /** Reads the archive of a node that runs: its whole blocks do not change. */
    private static void repair(TestCluster cluster, Path archive) throws IOException {
        var genesis = cluster.nodeDirectory(0).readGenesis().genesis();
        try (ArchiveReader other = ArchiveReader.open(cluster.nodeDirectory(0).archive());
                SignatureVerifier verifier = SignatureProviders.best()) {
            BrokerSignatures signatures = new BrokerSignatures(verifier);
            BlockRepair.Result result = BlockRepair.run(archive, other, block -> {
                assertThat(BatchContent.firstMismatch(block)).isEmpty();
                return signatures.faults(block, Membership.of(genesis));
            });
            assertThat(result.faults()).isEmpty();
            assertThat(result.repaired()).containsExactly((long) DAMAGED);
        }
    }

    @Test
    void shouldNameTheCommandThatMendsTheLastBlockOfAFollower(@TempDir Path directory) throws Exception {
        try (TestCluster cluster = TestCluster.start(parameters -> parameters
                        .setBlockMaxBatches(1)
                        .setBlocksPerSegment(DAMAGED)
                        .setCheckpointInterval(DAMAGED));
                TestFollower follower = new TestFollower(directory, cluster)) {
            TestBroker broker = cluster.broker(1);
            for (int i = 1; i <= DAMAGED; i++) {
                broker.answerTo(0, broker.batch(1));
            }
            cluster.await(
                    "the follower has a whole segment", () -> follower.status().getLastCertified() == DAMAGED);
            follower.stop();
            Path archive = follower.directory().archive();
            Path file = ArchiveDamage.flipBit(archive, DAMAGED);

            assertThatThrownBy(follower::start)
                    .isInstanceOf(OperatingFailureException.class)
                    .hasMessageContaining("block " + DAMAGED + ": block damaged in " + file)
                    .hasMessageContaining("the follower cannot serve or hand over this block")
                    .hasMessageContaining("block-archive.jar repair " + archive + " --from COPY --genesis FILE")
                    .hasMessageContaining("or delete archive, queue and engine and follow again");

            repair(cluster, archive);
            follower.start();
            broker.answerTo(0, broker.batch(1));
            cluster.await("the follower goes on", () -> follower.status().getLastBlock() == DAMAGED + 1);
        }
    }
}
