package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.consensus.config.ConfigException;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.execution.ChainedDigestProvider;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Four nodes whose engines run inside them. */
@Timeout(300)
class InsideExecutionTest {
    private static final String[] INLINE = {
        "laboratory=true", "experiment.execution=inline", "experiment.engine=chained-digest"
    };
    private static final UnaryOperator<Parameters.Builder> EACH_RESULT_AGREED =
            parameters -> parameters.setCheckpointInterval(1).setPipelineWindow(1);

    @Test
    void shouldCertifyTheResultOfEveryBlockAndReplayItAfterARestart() throws Exception {
        try (TestCluster cluster = TestCluster.start(EACH_RESULT_AGREED, INLINE)) {
            TestBroker broker = cluster.broker(1);
            for (int i = 0; i < 200; i++) {
                broker.submitTo(i % 4, broker.batch(3));
            }
            cluster.awaitCommitted(200);
            cluster.await("every batch is answered", () -> broker.answers(SubmitStatus.ACCEPTED) == 200);
            awaitExecuted(cluster, 4);

            cluster.kill(3);
            cluster.startNode(3);
            cluster.awaitConnected();
            awaitExecuted(cluster, 4);
            broker.submitTo(0, broker.batch(1));
            awaitExecuted(cluster, 4, cluster.node(0).status().getLastDelivered() + 1);

            long last = cluster.node(0).status().getLastDelivered();
            for (int i = 0; i < 4; i++) {
                awaitStored(cluster, i, last);
                NodeStatus status = cluster.node(i).status();
                Digest result = assertEveryBlockCertified(cluster.nodeDirectory(i), last);
                assertThat(Digest.of(status.getResultDigest().toByteArray())).isEqualTo(result);
                assertThat(status.getView()).isZero();
            }
        }
    }

    /** Returns the result digest after the last block. */
    private static Digest assertEveryBlockCertified(NodeDirectory node, long last) throws IOException {
        Digest result = Digest.ZERO;
        try (ArchiveReader archive = ArchiveReader.open(node.archive())) {
            for (long sequence = 1; sequence <= last; sequence++) {
                Block block = Block.wrap(archive.read(sequence).orElseThrow());
                result = ChainedDigestProvider.next(result, block);
                CheckpointCertificate certificate =
                        archive.certificateAtOrAfter(sequence).orElseThrow();
                assertThat(certificate.sequence()).isEqualTo(sequence);
                assertThat(certificate.resultDigest()).isEqualTo(result);
            }
        }
        return result;
    }

    /**
     * Waits until a node has stored the certificate of a block, which it does after its status names the checkpoint.
     */
    private static void awaitStored(TestCluster cluster, int node, long block) throws Exception {
        Path directory = cluster.nodeDirectory(node).archive();
        cluster.await("node " + node + " stores the certificate of block " + block, () -> {
            try (ArchiveReader archive = ArchiveReader.open(directory)) {
                return archive.certificateAtOrAfter(block).isPresent();
            }
        });
    }

    private static void awaitExecuted(TestCluster cluster, int nodes) throws Exception {
        awaitExecuted(cluster, nodes, cluster.node(0).status().getLastDelivered());
    }

    /** Waits until the nodes have executed and certified this block. */
    private static void awaitExecuted(TestCluster cluster, int nodes, long last) throws Exception {
        cluster.await("block " + last + " is certified", () -> {
            for (int i = 0; i < nodes; i++) {
                NodeStatus status = cluster.node(i).status();
                if (status.getLastExecuted() < last || status.getStableCheckpoint() < last) {
                    return false;
                }
            }
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"experiment.threads=one", "experiment.threads=two", "stage-threads=shared"})
    void shouldExecuteOnTheThreadThatCommitsWhileAgreementGoesOn(String threads) throws Exception {
        try (TestCluster cluster = TestCluster.start(
                "laboratory=true", "experiment.execution=in-process", "experiment.engine=chained-digest", threads)) {
            TestBroker broker = cluster.broker(1);
            for (int wave = 1; wave <= 20; wave++) {
                broker.submitTo(wave % 4, broker.batch(2));
                cluster.awaitCommitted(wave);
            }
            cluster.awaitCertified();
            assertThat(cluster.node(0).status().getLastExecuted())
                    .isEqualTo(cluster.node(0).status().getLastDelivered());
        }
    }

    @Test
    void shouldIsolateTheNodeWhoseEngineIsWrong(@TempDir Path directory) throws Exception {
        PortBlock ports = PortBlock.take(TestCluster.PORTS);
        TestCluster.write(directory, ports, EACH_RESULT_AGREED, INLINE);
        Files.writeString(
                directory.resolve("net/node3/node.properties"),
                "experiment.engine.wrong-from=3\n",
                StandardOpenOption.APPEND);
        try (TestCluster cluster = TestCluster.open(directory, ports)) {
            TestBroker broker = cluster.broker(1);
            for (int wave = 1; wave <= 5; wave++) {
                broker.submitTo(0, broker.batch(1));
                cluster.awaitCommitted(wave);
            }
            cluster.await(
                    "node 3 isolates itself",
                    () -> cluster.node(3).status().getState().equals("ISOLATED"));
            awaitExecuted(cluster, 3);
            assertThat(cluster.node(3).state().isolatedAt()).isEqualTo(3);
        }
    }

    @Test
    void shouldRefuseAGenesisFileThatAgreesOnFewerResults(@TempDir Path directory) throws Exception {
        try (PortBlock ports = PortBlock.take(TestCluster.PORTS)) {
            TestCluster.write(directory, ports, parameters -> parameters.setCheckpointInterval(1), INLINE);
            assertThatThrownBy(() -> open(directory))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("node.properties: experiment.execution=inline needs a genesis file with"
                            + " checkpointInterval 1 and pipelineWindow 1, which has 1 and 32");
        }
    }

    @Test
    void shouldRefuseAnEngineThatIsNotOnTheClassPath(@TempDir Path directory) throws Exception {
        try (PortBlock ports = PortBlock.take(TestCluster.PORTS)) {
            TestCluster.write(
                    directory,
                    ports,
                    EACH_RESULT_AGREED,
                    "laboratory=true",
                    "experiment.execution=inline",
                    "experiment.engine=abacus");
            assertThatThrownBy(() -> open(directory))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("node.properties: experiment.engine=abacus is none of [chained-digest], the engines on"
                            + " the class path");
        }
    }

    private static void open(Path directory) throws IOException {
        ConsensusNode.open(new NodeDirectory(directory.resolve("net/node0")), StartOptions.NONE, failure -> {})
                .close();
    }
}
