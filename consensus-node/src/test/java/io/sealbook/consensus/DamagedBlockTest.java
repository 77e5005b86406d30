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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose newest blocks are damaged says so, changes nothing, and takes part again after a repair. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DamagedBlockTest {
    private static final int NODE = 3;
    private static final int BATCHES = 6;
    private static final int DAMAGED = 2;

    @Test
    void shouldRefuseToStartUntilTheBlockIsRepaired() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = cluster.broker(1);
            for (int i = 1; i <= BATCHES; i++) {
                broker.answerTo(0, broker.batch(1));
                cluster.awaitCommitted(i);
            }
            cluster.kill(NODE);
            Path archive = cluster.nodeDirectory(NODE).archive();
            Path file = ArchiveDamage.flipBit(archive, DAMAGED);
            byte[] before = Files.readAllBytes(file);

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
