package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.consensus.config.NodeDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica that lost the records of its votes starts on its operator's responsibility only. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LostReplicaLogTest {
    private static final int LOST = 3;
    private static final int REFUSED = 65;
    private static final String READY = "node " + LOST + " ready";

    @Test
    void shouldRefuseToStartWithoutItsLogUntilTheOperatorAcceptsIt() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = cluster.broker(1);
            broker.submitTo(0, broker.batch(1));
            cluster.awaitCommitted(1);
            cluster.kill(LOST);
            long last = lastBlock(cluster);
            delete(cluster.nodeDirectory(LOST).replicaLog());

            // Twice: the first attempt must leave nothing that lets the second one pass.
            for (int attempt = 1; attempt <= 2; attempt++) {
                Process refused = cluster.startProcess(LOST, List.of());
                String output = untilReady(refused);

                assertThat(refused.waitFor()).as(output).isEqualTo(REFUSED);
                assertThat(output)
                        .contains("replica-log/ has no record, but the archive ends at block " + last)
                        .contains("the chain can fork")
                        .contains("Restore replica-log/")
                        .contains("--accept-lost-replica-log")
                        .doesNotContain(READY);
                assertThat(lastBlock(cluster)).isEqualTo(last);
            }

            assertThat(untilReady(cluster.startProcess(LOST, List.of(), "--accept-lost-replica-log")))
                    .contains("REPLICA LOG LOST")
                    .contains("the archive ends at block " + last)
                    .contains(READY);
        }
    }

    @Test
    void shouldRefuseAReplicaThatVotedAndLostItsBlocksToo() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = cluster.broker(1);
            broker.submitTo(0, broker.batch(1));
            cluster.awaitCommitted(1);
            cluster.kill(LOST);
            delete(cluster.nodeDirectory(LOST).replicaLog());
            delete(cluster.nodeDirectory(LOST).archive());
            delete(cluster.nodeDirectory(LOST).blockQueue().getParent());

            Process refused = cluster.startProcess(LOST, List.of());
            String output = untilReady(refused);

            assertThat(refused.waitFor()).as(output).isEqualTo(REFUSED);
            assertThat(output).contains("replica-mark/ shows that this replica has voted");
        }
    }

    /** As an operator does who restores the settings and the key, and nothing else. */
    @Test
    void shouldRefuseAKeyThatLostItsWholeDirectory() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            NodeDirectory node = cluster.nodeDirectory(LOST);
            TestBroker broker = cluster.broker(1);
            broker.submitTo(0, broker.batch(1));
            cluster.awaitCommitted(1);
            cluster.kill(LOST);
            cluster.stopEngine(LOST);
            try (Stream<Path> files = Files.list(node.root())) {
                for (Path directory : files.filter(Files::isDirectory).toList()) {
                    delete(directory);
                }
            }

            for (int attempt = 1; attempt <= 2; attempt++) {
                Process refused = cluster.startProcess(LOST, List.of());
                String output = untilReady(refused);

                assertThat(refused.waitFor()).as(output).isEqualTo(REFUSED);
                assertThat(output)
                        .contains("replica-log/ has no record, and nothing shows that its key has never voted: there is"
                                + " no " + node.root().resolve("node.key.never-voted"))
                        .contains("the chain can fork")
                        .contains("--accept-lost-replica-log")
                        .doesNotContain(READY);
                assertThat(node.replicaMark().resolve("voted")).doesNotExist();
            }

            assertThat(untilReady(cluster.startProcess(LOST, List.of(), "--accept-lost-replica-log")))
                    .contains("REPLICA LOG LOST")
                    .contains(READY);
            assertThat(untilReady(cluster.startProcess(LOST, List.of())))
                    .as("the option counts once, and the log has a record since")
                    .contains(READY);
        }
    }

    @Test
    void shouldUseUpTheMarkOfAFreshNode() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            NodeDirectory node = cluster.nodeDirectory(LOST);

            assertThat(node.root().resolve("node.key.never-voted")).doesNotExist();

            cluster.kill(LOST);
            assertThat(untilReady(cluster.startProcess(LOST, List.of()))).contains(READY);
        }
    }

    /** Returns what a process writes until it serves or ends; one that serves is killed. */
    private static String untilReady(Process process) throws IOException, InterruptedException {
        StringBuilder output = new StringBuilder();
        BufferedReader reader = process.inputReader();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            output.append(line).append('\n');
            if (line.contains(READY)) {
                process.destroyForcibly().waitFor();
                break;
            }
        }
        return output.toString();
    }

    private static long lastBlock(TestCluster cluster) {
        try (ArchiveReader archive =
                ArchiveReader.open(cluster.nodeDirectory(LOST).archive())) {
            return archive.lastSequence();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
