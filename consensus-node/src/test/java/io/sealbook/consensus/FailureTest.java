package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sealbook.consensus.storage.DamagedArchive;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.node.status.NodePhase;
import io.sealbook.protocol.v1.SubmitStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What the cluster does when members go, come back or go wrong. */
@Timeout(300)
class FailureTest {
    @ParameterizedTest
    @ValueSource(strings = {"stage-threads=own", "stage-threads=shared"})
    void shouldReplaceAPrimaryThatIsGoneAndTakeItBack(String stages) throws Exception {
        try (TestCluster cluster = TestCluster.start(stages)) {
            TestBroker broker = cluster.broker(1);
            for (int i = 0; i < 20; i++) {
                broker.submitTo(i % 4, broker.batch(2));
            }
            cluster.awaitCommitted(20);
            int primary = cluster.primary();
            int other = (primary + 1) % 4;

            cluster.kill(primary);
            for (int i = 0; i < 20; i++) {
                broker.submitTo(other, broker.batch(2));
            }

            cluster.awaitCommitted(40);
            assertThat(cluster.primary()).isNotEqualTo(primary);

            cluster.startNode(primary);
            broker.submitTo(other, broker.batch(2));
            cluster.awaitCommitted(41);
            cluster.assertEqualChains();
        }
    }

    /** Nothing waits, so that no member would miss the primary: the next view begins because it hands over. */
    @ParameterizedTest
    @ValueSource(strings = {"stage-threads=own", "stage-threads=shared"})
    void shouldHandItsViewOverBeforeItStops(String stages) throws Exception {
        try (TestCluster cluster = TestCluster.start(stages)) {
            TestBroker broker = cluster.broker(1);
            broker.submitTo(0, broker.batch(1));
            cluster.awaitCommitted(1);
            int primary = cluster.primary();
            long view = cluster.node(primary).status().getView();

            cluster.kill(primary);

            for (int node = 0; node < 4; node++) {
                if (node != primary) {
                    int other = node;
                    cluster.await(
                            "the next view begins at node " + node,
                            () -> cluster.node(other).status().getView() == view + 1);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stage-threads=own", "stage-threads=shared"})
    void shouldCatchUpFromItsPeersArchivesUnderLoad(String stages) throws Exception {
        try (TestCluster cluster = TestCluster.start(stages)) {
            TestBroker broker = cluster.broker(2);
            cluster.kill(3);
            int batches = 0;
            // Beyond the log window, so that messages alone cannot bring the node back.
            while (cluster.node(0).status().getLastDelivered() < 90) {
                broker.submitTo(0, broker.batch(1));
                batches++;
                cluster.awaitCommitted(batches);
            }

            cluster.startNode(3);
            for (int i = 0; i < 30; i++) {
                broker.submitTo(i % 3, broker.batch(1));
                int answered = ++batches;
                cluster.await("it is answered", () -> broker.answers(SubmitStatus.ACCEPTED) == answered);
            }

            cluster.awaitCommitted(batches);
            cluster.assertEqualChains();
            assertThat(cluster.node(3).metrics().transferredBlocks()).isPositive();
            int sent = batches;
            cluster.await("every batch is answered", () -> broker.answers(SubmitStatus.ACCEPTED) == sent);
        }
    }

    @Test
    void shouldAdoptNoSignatureThatAPeerAltered() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = cluster.broker(1);
            cluster.kill(3);
            int batches = 0;
            while (cluster.node(0).status().getLastDelivered() < 90) {
                broker.submitTo(0, broker.batch(1));
                cluster.awaitCommitted(++batches);
            }
            cluster.kill(1);
            cluster.alterSignatures(1);
            cluster.startNode(1);
            cluster.awaitConnected();

            cluster.startNode(3);
            broker.submitTo(0, broker.batch(1));
            cluster.awaitCommitted(++batches);

            cluster.assertEqualChains();
            assertThat(cluster.node(3).metrics().transferRefusals(1)).isPositive();
            assertThat(cluster.blocks(1, 80)).as("node 1 lies").isNotEqualTo(cluster.blocks(0, 80));
            assertThat(cluster.blocks(3, 80)).isEqualTo(cluster.blocks(0, 80));
        }
    }

    @Test
    void shouldSayWhatItMendedInItsArchive() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(DamagedArchive.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = cluster.broker(1);
            for (int i = 1; i <= 3; i++) {
                broker.submitTo(0, broker.batch(1));
                cluster.awaitCommitted(i);
            }
            long height = cluster.node(1).status().getLastDelivered();
            cluster.kill(1);
            try (Stream<Path> files = Files.list(cluster.nodeDirectory(1).archive())) {
                Path segment = files.filter(file -> file.toString().endsWith(".blocks"))
                        .findFirst()
                        .orElseThrow();
                Files.write(segment, new byte[77], StandardOpenOption.APPEND);
            }

            logger.addAppender(lines);
            cluster.startNode(1);
            broker.submitTo(1, broker.batch(1));
            cluster.awaitCommitted(4);

            cluster.assertEqualChains();
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .contains("archive: blocks 1 to " + height + ", " + height
                            + " scanned in segments that were not closed")
                    .contains("archive: cut off 77 bytes that a crash left after block " + height
                            + "; peers have every delivered block");
        } finally {
            logger.detachAppender(lines);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"experiment.threads=one", "stage-threads=shared"})
    void shouldGoOnAfterAllNodesWereStopped(String threads) throws Exception {
        try (TestCluster cluster =
                TestCluster.start("laboratory=true", threads, "experiment.offload=agent", "durability=disk")) {
            TestBroker broker = cluster.broker(1);
            for (int i = 0; i < 10; i++) {
                broker.submitTo(0, broker.batch(1));
            }
            cluster.awaitCommitted(10);

            for (int i = 0; i < 4; i++) {
                cluster.kill(i);
            }
            for (int i = 0; i < 4; i++) {
                cluster.startNode(i);
            }

            cluster.awaitConnected();
            broker.submitTo(1, broker.batch(1));
            cluster.awaitCommitted(11);
            cluster.assertEqualChains();
        }
    }

    @Test
    void shouldIsolateANodeWhoseEngineComesToAnotherResult() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = cluster.broker(1);
            cluster.engine(2).beWrong();

            for (int i = 1; i <= 10; i++) {
                broker.submitTo(0, broker.batch(1));
                int committed = i;
                cluster.await("batch " + i, () -> cluster.node(0).status().getCommittedBatches() >= committed);
            }

            cluster.await("node 2 is isolated", () -> cluster.node(2).state().phase() == NodePhase.ISOLATED);
            assertThat(cluster.node(2).state().isolatedAt()).isPositive();
            cluster.await(
                    "the others are certain", () -> cluster.node(0).status().getStableCheckpoint() > 0);
            assertThat(cluster.node(0).state().phase()).isEqualTo(NodePhase.NORMAL);

            long isolatedAt = cluster.node(2).state().isolatedAt();
            cluster.kill(2);
            cluster.startNode(2);
            cluster.await(
                    "node 2 is isolated still", () -> cluster.node(2).state().phase() == NodePhase.ISOLATED);
            assertThat(cluster.node(2).state().isolatedAt()).isEqualTo(isolatedAt);
            IsolationNotice notice = IsolationNotice.read(
                            cluster.nodeDirectory(2).isolationFile())
                    .orElseThrow();
            assertThat(notice.checkpoint()).isEqualTo(isolatedAt);
            assertThat(notice.isEngineWrong()).isTrue();
            assertThat(notice.provenTo()).isLessThan(isolatedAt);

            cluster.engine(2).rebuild();

            cluster.await("node 2 votes again", () -> cluster.node(2).state().phase() == NodePhase.NORMAL);
            cluster.await(
                    "its engine has nothing to do",
                    () -> !Files.exists(cluster.nodeDirectory(2).isolationFile()));
            broker.submitTo(2, broker.batch(1));
            cluster.awaitCommitted(11);
        }
    }

    /** Half of the engines were wrong, as after a faulty release: nothing is certified, and nobody votes. */
    @Test
    void shouldGoOnAfterAllWereIsolatedAndTheirEnginesAgreeAgain() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = cluster.broker(1);
            cluster.engine(2).beWrongFrom(1);
            cluster.engine(3).beWrongFrom(1);
            broker.submitTo(0, broker.batch(1));
            for (int node = 0; node < 4; node++) {
                int each = node;
                cluster.await(
                        "node " + node + " is isolated",
                        () -> cluster.node(each).state().phase() == NodePhase.ISOLATED);
            }
            cluster.kill(1);
            cluster.startNode(1);
            cluster.engine(2).rebuild();
            cluster.await("a quorum agrees", () -> cluster.node(0).state().phase() == NodePhase.NORMAL);
            cluster.engine(3).rebuild();

            for (int node = 0; node < 4; node++) {
                int each = node;
                cluster.await(
                        "node " + node + " votes again",
                        () -> cluster.node(each).state().phase() == NodePhase.NORMAL);
            }
            broker.submitTo(3, broker.batch(1));
            cluster.awaitCommitted(2);
        }
    }
}
