package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.crypto.KeyFile;
import io.sealbook.handoff.BlockResult;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tool that looks into a stopped node names what it sees, ends with the exit code that says so, and changes no
 * byte. All tests look at copies of one node: as it was at its first stop, or at its second one, some blocks later.
 */
@Timeout(300)
class InspectTest {
    private static final int NODE = 1;
    private static final int BATCHES = 24;
    private static final int WHOLE = 0;
    private static final int DAMAGED = 1;
    private static final int RUNNING = 2;
    private static final int UNFINISHED = 3;

    @TempDir
    private static Path copies;

    private static TestCluster cluster;
    private static NodeDirectory earlier;
    private static NodeDirectory later;
    private static long earlierLast;

    @TempDir
    private Path scratch;

    private NodeDirectory node;
    private int exitCode;
    private String output;

    @BeforeAll
    static void runClusterAndStopOneNodeTwice() throws Exception {
        cluster = TestCluster.start();
        TestBroker broker = cluster.broker(1);
        earlier = commitAndCopy(broker, BATCHES, "earlier");
        earlierLast = lastBlock(earlier);
        cluster.startNode(NODE);
        cluster.awaitConnected();
        later = commitAndCopy(broker, 2 * BATCHES, "later");
    }

    private static NodeDirectory commitAndCopy(TestBroker broker, int until, String name) throws Exception {
        for (int i = until - BATCHES; i < until; i++) {
            broker.answerTo(NODE, broker.batch(1));
            cluster.awaitCommitted(i + 1);
        }
        cluster.awaitCertified();
        cluster.assertEqualChains();
        cluster.kill(NODE);
        return cluster.copyNode(NODE, copies.resolve(name));
    }

    @AfterAll
    static void closeCluster() throws Exception {
        cluster.close();
    }

    @BeforeEach
    void copyEarlierNode() throws IOException {
        node = new NodeDirectory(scratch.resolve("node"));
        TestCluster.copy(earlier.root(), node.root());
    }

    @Test
    void shouldFindAStoppedNodeWhole() throws Exception {
        inspect();

        assertThat(exitCode).as(output).isEqualTo(WHOLE);
        assertThat(output)
                .contains("archive blocks: 1.." + earlierLast)
                .contains("archive whole blocks: " + earlierLast)
                .contains("queue/blocks last: " + earlierLast)
                .contains("queue/results last: " + earlierLast)
                .contains("replica log view: 0")
                .doesNotContain("damaged:", "unfinished:");
    }

    @Test
    void shouldPrintTheResultsAroundABlock() throws Exception {
        CheckpointCertificate certificate;
        CheckpointCertificate before;
        Digest hash;
        try (ArchiveReader archive = ArchiveReader.open(node.archive())) {
            certificate = archive.latestCertificate().orElseThrow();
            before = archive.certificateBefore(certificate.sequence()).orElseThrow();
            hash = Block.wrap(archive.read(certificate.sequence()).orElseThrow())
                    .hash();
        }
        long sequence = certificate.sequence();

        inspect("--around", Long.toString(sequence));

        assertThat(exitCode).as(output).isEqualTo(WHOLE);
        assertThat(results())
                .hasSize((int) (sequence + 4 - before.sequence() + 1))
                .contains("result of block " + sequence + ": "
                        + certificate.resultDigest().hex() + ", block hash " + hash.hex() + ", certified "
                        + certificate.resultDigest().hex())
                .endsWith("result of block " + (sequence + 4) + ": none, block hash none, no certificate");

        inspect("--around", "0");

        assertThat(exitCode).as(output).isEqualTo(2);
    }

    /** Results before the last certificate are equal everywhere, and the first that differs follows it. */
    @Test
    void shouldPrintTheResultsSinceTheLastCertifiedBlock() throws Exception {
        CheckpointCertificate certificate = keepTheFirstCertificateAlone();

        inspect("--around", Long.toString(earlierLast));

        assertThat(results())
                .hasSize((int) (earlierLast + 4 - certificate.sequence() + 1))
                .first()
                .asString()
                .startsWith("result of block " + certificate.sequence() + ": "
                        + certificate.resultDigest().hex() + ", block hash ")
                .endsWith(", certified " + certificate.resultDigest().hex());

        inspect("--around", Long.toString(certificate.sequence()));

        assertThat(results()).first().asString().startsWith("result of block 1: ");
    }

    private CheckpointCertificate keepTheFirstCertificateAlone() throws IOException {
        CheckpointCertificate first;
        try (ArchiveReader archive = ArchiveReader.open(node.archive())) {
            first = archive.certificateAtOrAfter(1).orElseThrow();
        }
        Files.delete(node.archive().resolve("certificates.log"));
        GenesisFile genesis = node.readGenesis();
        ArchiveConfig config = new ArchiveConfig(
                genesis.digest(), genesis.genesis().getParameters().getBlocksPerSegment(), Durability.PROCESS);
        try (BlockArchive archive = BlockArchive.open(node.archive(), config)) {
            archive.putCertificate(first);
        }
        return first;
    }

    private List<String> results() {
        return output.lines()
                .filter(line -> line.startsWith("result of block "))
                .toList();
    }

    @Test
    void shouldRefuseARunningNode() throws Exception {
        node = cluster.nodeDirectory(0);
        StringWriter lines = new StringWriter();
        PrintWriter out = new PrintWriter(lines, true);

        exitCode = NodeTool.commandLine()
                .setOut(out)
                .setErr(out)
                .execute("inspect", node.root().toString());

        assertThat(exitCode).isEqualTo(RUNNING);
        assertThat(lines.toString()).startsWith("a node runs in ").hasLineCount(1);
    }

    @Test
    void shouldNameATornTailAndLeaveIt() throws Exception {
        int end = (int) endOfBlocks(segmentOf(earlier), later);
        byte[] longer = Files.readAllBytes(segmentOf(later));
        byte[] torn = Arrays.copyOf(Files.readAllBytes(segment()), end + 100);
        System.arraycopy(longer, end, torn, end, 100);
        Files.write(segment(), torn);

        inspect();

        assertThat(exitCode).as(output).isEqualTo(UNFINISHED);
        assertThat(output).contains("unfinished: archive: TORN_TAIL").doesNotContain("damaged:");
    }

    @Test
    void shouldNameALostEnd() throws Exception {
        Path segment = segment();
        Files.write(segment, Arrays.copyOf(Files.readAllBytes(segment), (int) Files.size(segment) - 3));

        inspect();

        assertThat(exitCode).as(output).isEqualTo(DAMAGED);
        assertThat(output)
                .contains(
                        "damaged: archive ends with block " + (earlierLast - 1) + ", queue/blocks with " + earlierLast);
    }

    @Test
    void shouldNameADamagedLastBlock() throws Exception {
        Path segment = segment();
        flip(segment, Files.size(segment) - 40);

        inspect();

        assertThat(exitCode).as(output).isEqualTo(DAMAGED);
        assertThat(output).contains("damaged: archive: DAMAGED_TAIL");
    }

    @Test
    void shouldNameADamagedBlock() throws Exception {
        try (ArchiveReader archive = ArchiveReader.open(node.archive())) {
            flip(segment(), archive.facts(5).orElseThrow().offset() + 70);
        }

        inspect();

        assertThat(exitCode).as(output).isEqualTo(DAMAGED);
        assertThat(output)
                .contains("damaged: archive: DAMAGED_BLOCK: block 5: ")
                .contains("archive whole blocks: " + (earlierLast - 1));
    }

    @Test
    void shouldNameAnUnfinishedFileAndLeaveIt() throws Exception {
        Path unfinished = node.archive().resolve(segment().getFileName() + ".unfinished");
        Files.write(unfinished, new byte[7]);

        inspect();

        assertThat(exitCode).as(output).isEqualTo(UNFINISHED);
        assertThat(output).contains("unfinished: archive: UNFINISHED_FILE: " + unfinished);
    }

    @Test
    void shouldSayWhatTheQueueLacks() throws Exception {
        delete(node.archive());
        TestCluster.copy(later.archive(), node.archive());

        inspect();

        assertThat(exitCode).as(output).isEqualTo(UNFINISHED);
        assertThat(output)
                .contains("unfinished: queue/blocks ends with block " + earlierLast + ", the archive with ")
                .contains("unfinished: the replica log has checkpoint ");
    }

    @Test
    void shouldNameALocationThatCannotBeRead() throws Exception {
        Path queue = dataFile(node.blockQueue());
        flip(queue, indexOf(queue, "SBLO".getBytes(StandardCharsets.US_ASCII)) + 9);

        inspect();

        assertThat(exitCode).as(output).isEqualTo(DAMAGED);
        assertThat(output).contains("damaged: queue/blocks: the excerpt after block 0");
    }

    @Test
    void shouldNameAResultThatIsNotTheCertifiedOne() throws Exception {
        Digest certified;
        long sequence;
        try (ArchiveReader archive = ArchiveReader.open(node.archive())) {
            certified = archive.latestCertificate().orElseThrow().resultDigest();
            sequence = archive.latestCertificate().orElseThrow().sequence();
        }
        Path queue = dataFile(node.resultQueue());
        int record = indexOf(queue, certified.bytes()) - (BlockResult.LENGTH - Digest.LENGTH);
        byte[] bytes = Files.readAllBytes(queue);
        BlockResult right = BlockResult.decode(Arrays.copyOfRange(bytes, record, record + BlockResult.LENGTH));
        BlockResult wrong = new BlockResult(
                sequence,
                Digest.sha256(certified.bytes()),
                right.executedTimeNs(),
                right.orderCount(),
                right.tradeCount());
        System.arraycopy(wrong.encode(), 0, bytes, record, BlockResult.LENGTH);
        Files.write(queue, bytes);

        inspect();

        assertThat(exitCode).as(output).isEqualTo(DAMAGED);
        assertThat(output)
                .contains("damaged: queue/results: result of block " + sequence + " is ")
                .contains("a quorum has certified " + certified.hex());
    }

    @Test
    void shouldNameADamagedResult() throws Exception {
        Digest certified;
        long sequence;
        try (ArchiveReader archive = ArchiveReader.open(node.archive())) {
            certified = archive.latestCertificate().orElseThrow().resultDigest();
            sequence = archive.latestCertificate().orElseThrow().sequence();
        }
        Path queue = dataFile(node.resultQueue());
        flip(queue, indexOf(queue, certified.bytes()));

        inspect();

        assertThat(exitCode).as(output).isEqualTo(DAMAGED);
        assertThat(output).contains("result of block " + sequence + " is damaged: CRC32C");
    }

    @Test
    void shouldNameATornTailOfTheReplicaLogAndLeaveIt() throws Exception {
        Path log = dataFile(node.replicaLog());
        byte[] bytes = Files.readAllBytes(log);
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        bytes[(end + 7 & -8) + 3] = 5;
        Files.write(log, bytes);

        inspect();

        assertThat(exitCode).as(output).isEqualTo(UNFINISHED);
        assertThat(output).contains("bytes after the last whole record");
    }

    @Test
    void shouldNameADamagedReplicaLog() throws Exception {
        flip(dataFile(node.replicaLog()), 60);

        inspect();

        assertThat(exitCode).as(output).isEqualTo(DAMAGED);
        assertThat(output).contains("damaged: replica log: ").contains("was durable up to");
    }

    @Test
    void shouldNameAKeyThatIsNotTheNodes() throws Exception {
        Files.copy(cluster.nodeDirectory(2).keyFile(), node.keyFile(), StandardCopyOption.REPLACE_EXISTING);

        inspect();

        assertThat(exitCode).as(output).isEqualTo(DAMAGED);
        assertThat(output).contains("damaged: node.key is not the key of node ");
    }

    /** As a directory is that has lost everything but what its operator keeps a copy of. */
    @Test
    void shouldNameAKeyWithoutRecords() throws Exception {
        for (Path lost : List.of(
                node.replicaLog(),
                node.replicaMark(),
                node.archive(),
                node.blockQueue().getParent())) {
            delete(lost);
        }

        inspect();

        String mark = node.root().resolve("node.key.never-voted").toString();
        assertThat(exitCode).as(output).isEqualTo(DAMAGED);
        assertThat(output)
                .contains(
                        "damaged: replica log: no record, and nothing shows that its key has never voted: there is no "
                                + mark + "; the node refuses to start");
    }

    @Test
    void shouldNameALostReplicaLog() throws Exception {
        delete(node.replicaLog());

        inspect();

        assertThat(exitCode).as(output).isEqualTo(DAMAGED);
        assertThat(output)
                .contains("damaged: replica log: no record, but the archive ends at block " + earlierLast)
                .contains("the node refuses to start");
    }

    @Test
    void shouldNameALostReplicaLogThoughNoBlockIsLeft() throws Exception {
        for (Path part :
                new Path[] {node.archive(), node.replicaLog(), node.blockQueue().getParent()}) {
            delete(part);
        }

        inspect();

        assertThat(exitCode).as(output).isEqualTo(DAMAGED);
        assertThat(output).contains("damaged: replica log: no record, but replica-mark/ shows");
    }

    @Test
    void shouldLookAtANodeThatNeverRan() throws Exception {
        for (Path part : new Path[] {
            node.archive(),
            node.replicaLog(),
            node.replicaMark(),
            node.blockQueue().getParent()
        }) {
            delete(part);
        }
        node.neverVoted(KeyFile.readSigner(node.keyFile()).verificationKey()).write();

        inspect();

        assertThat(exitCode).as(output).isEqualTo(WHOLE);
        assertThat(output)
                .contains("archive: none yet", "queue/blocks: none yet", "queue/results: none yet")
                .contains("replica log: none yet");
    }

    /** Runs the tool and holds it to its first promise. */
    private void inspect(String... options) throws IOException {
        TreeMap<String, String> before = contents(node.root());
        StringWriter lines = new StringWriter();
        PrintWriter out = new PrintWriter(lines, true);
        exitCode = NodeTool.commandLine()
                .setOut(out)
                .setErr(out)
                .execute(Stream.concat(Stream.of("inspect", node.root().toString()), Stream.of(options))
                        .toArray(String[]::new));
        output = lines.toString();
        assertThat(contents(node.root())).as(output).isEqualTo(before);
    }

    /** Returns length, time of change and checksum of every file. */
    private static TreeMap<String, String> contents(Path root) throws IOException {
        TreeMap<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                String checksum = Files.isDirectory(file) ? "directory" : Long.toHexString(crc32c(file));
                contents.put(
                        root.relativize(file).toString(),
                        Files.size(file) + " " + Files.getLastModifiedTime(file) + " " + checksum);
            }
        }
        return contents;
    }

    private static long crc32c(Path file) throws IOException {
        CRC32C crc = new CRC32C();
        try (InputStream bytes = new CheckedInputStream(Files.newInputStream(file), crc)) {
            bytes.transferTo(OutputStream.nullOutputStream());
        }
        return crc.getValue();
    }

    private static void delete(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static long lastBlock(NodeDirectory of) {
        try (ArchiveReader archive = ArchiveReader.open(of.archive())) {
            return archive.lastSequence();
        }
    }

    private Path segment() throws IOException {
        return segmentOf(node);
    }

    private static Path segmentOf(NodeDirectory of) throws IOException {
        try (Stream<Path> files = Files.list(of.archive())) {
            return files.filter(file -> file.toString().endsWith(".blocks"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }

    /** Returns the offset at which the earlier node's last block ends, in the segment that both nodes began with. */
    private static long endOfBlocks(Path earlierSegment, NodeDirectory of) throws IOException {
        assertThat(segmentOf(of)).hasFileName(earlierSegment.getFileName().toString());
        try (ArchiveReader archive = ArchiveReader.open(of.archive())) {
            var facts = archive.facts(earlierLast).orElseThrow();
            return facts.offset() + facts.length();
        }
    }

    private static Path dataFile(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file ->
                            file.toString().endsWith(".cq4") || file.toString().endsWith(".segment"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }

    private static int indexOf(Path file, byte[] wanted) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        for (int at = 0; at + wanted.length <= bytes.length; at++) {
            if (bytes[at] == wanted[0] && Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        throw new AssertionError("not in " + file);
    }

    private static void flip(Path file, long offset) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(offset);
            int before = bytes.read();
            bytes.seek(offset);
            bytes.write(before ^ 1);
        }
    }
}
