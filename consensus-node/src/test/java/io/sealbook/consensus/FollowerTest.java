package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.consensus.follow.FaultySourcesException;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.protocol.v1.BlockData;
import io.sealbook.protocol.v1.FeedItem;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Followers of four real nodes in one process; sources that lie stand before a node's port. */
@Timeout(600)
class FollowerTest {
    private static final int BATCHES = 30;
    private static final String FAST_STALL = "source-stall-ms=300";

    @TempDir
    private Path directory;

    @Test
    void shouldStoreTheChainWithItsTailAndGoOnWhenItsSourceDies() throws Exception {
        try (TestCluster cluster = cluster(UnaryOperator.identity());
                TestFollower follower = new TestFollower(directory, cluster, sources(cluster, 1, 2, 3, 0))) {
            TestBroker broker = cluster.broker(1);
            commit(cluster, broker, BATCHES);
            awaitEqual(cluster, follower, 0);
            assertThat(follower.status().getSource()).isEqualTo(address(cluster, 1));
            assertThat(follower.status().getReady()).isTrue();

            cluster.kill(1);
            commit(cluster, broker, 5);

            awaitEqual(cluster, follower, 0);
            assertThat(follower.status().getSource()).isNotEqualTo(address(cluster, 1));
            assertThat(follower.status().getFaultySourcesList()).isEmpty();
            assertEqualArchives(cluster, follower);
        }
    }

    @Test
    void shouldGoOnAfterARestartAndMendATornArchive() throws Exception {
        try (TestCluster cluster = cluster(UnaryOperator.identity());
                TestFollower follower = new TestFollower(directory, cluster)) {
            TestBroker broker = cluster.broker(1);
            commit(cluster, broker, BATCHES);
            awaitEqual(cluster, follower, 0);
            follower.stop();
            tear(follower.directory().archive());
            commit(cluster, broker, 7);

            follower.start();

            awaitEqual(cluster, follower, 0);
            assertEqualArchives(cluster, follower);
            assertThat(follower.failures).isEmpty();
        }
    }

    @Test
    void shouldExcludeASourceThatAltersBlocksAndStoreNothingOfIt() throws Exception {
        try (TestCluster cluster = cluster(UnaryOperator.identity())) {
            List<UnaryOperator<Block>> lies = List.of(
                    block -> altered(block, block.length() - SignedBatch.SIGNATURE_LENGTH - 1),
                    block -> altered(block, 20),
                    new Fork(cluster));
            TestBroker broker = cluster.broker(1);
            commit(cluster, broker, BATCHES);
            for (int i = 0; i < lies.size(); i++) {
                UnaryOperator<Block> lie = lies.get(i);
                try (LyingFeed liar = new LyingFeed(gatewayPort(cluster, 1), item -> blockAltered(item, 5, lie));
                        TestFollower follower = new TestFollower(
                                directory.resolve("lie" + i),
                                cluster,
                                "sources=" + liar.address() + ", " + address(cluster, 2) + ", "
                                        + address(cluster, 3))) {
                    awaitEqual(cluster, follower, 0);

                    assertThat(follower.status().getFaultySourcesList())
                            .as("lie %d", i)
                            .singleElement()
                            .asString()
                            .startsWith(liar.address());
                    assertEqualArchives(cluster, follower);
                }
            }
        }
    }

    @Test
    void shouldExcludeASourceThatForgesCertificates() throws Exception {
        try (TestCluster cluster = cluster(UnaryOperator.identity())) {
            commit(cluster, cluster.broker(1), BATCHES);
            cluster.awaitCertified();
            try (LyingFeed liar = new LyingFeed(gatewayPort(cluster, 1), FollowerTest::certificateForged);
                    TestFollower follower = new TestFollower(
                            directory,
                            cluster,
                            "sources=" + liar.address() + "," + address(cluster, 2) + "," + address(cluster, 3))) {
                awaitEqual(cluster, follower, 0);

                assertThat(follower.status().getFaultySourcesList())
                        .singleElement()
                        .asString()
                        .contains("has no quorum of valid signatures");
                cluster.await("certificates", () -> follower.status().getLastCertified() > 0);
            }
        }
    }

    @Test
    void shouldExcludeASourceThatEndsTheStreamWithoutAWord() throws Exception {
        try (TestCluster cluster = cluster(UnaryOperator.identity())) {
            commit(cluster, cluster.broker(1), BATCHES);
            try (LyingFeed liar = new LyingFeed(gatewayPort(cluster, 1), item -> {
                        throw Status.FAILED_PRECONDITION.asRuntimeException();
                    });
                    TestFollower follower = new TestFollower(
                            directory,
                            cluster,
                            "sources=" + liar.address() + "," + address(cluster, 2) + "," + address(cluster, 3))) {
                awaitEqual(cluster, follower, 0);

                assertThat(follower.failures).isEmpty();
                assertThat(follower.status().getFaultySourcesList())
                        .singleElement()
                        .asString()
                        .contains("ends with FAILED_PRECONDITION");
            }
        }
    }

    @Test
    void shouldEndIfEverySourceLies() throws Exception {
        try (TestCluster cluster = cluster(UnaryOperator.identity())) {
            commit(cluster, cluster.broker(1), BATCHES);
            try (LyingFeed liar = new LyingFeed(
                            gatewayPort(cluster, 1), item -> blockAltered(item, 1, block -> altered(block, 150)));
                    TestFollower follower = new TestFollower(directory, cluster, "sources=" + liar.address())) {
                cluster.await("the follower ends", () -> !follower.failures.isEmpty());

                assertThat(follower.failures.get(0))
                        .isInstanceOf(FaultySourcesException.class)
                        .hasMessageContaining(liar.address());
                assertThat(follower.status().getLastBlock()).isZero();
            }
        }
    }

    /** No hash covers a broker's signature: only a follower that verifies signatures sees this lie. */
    @Test
    void shouldSeeAnAlteredSignatureIfItVerifiesSignatures() throws Exception {
        try (TestCluster cluster = cluster(UnaryOperator.identity())) {
            commit(cluster, cluster.broker(1), BATCHES);
            try (LyingFeed liar = new LyingFeed(
                            gatewayPort(cluster, 1),
                            item -> blockAltered(item, 3, block -> altered(block, block.length() - 2)));
                    TestFollower follower = new TestFollower(
                            directory,
                            cluster,
                            "verify-signatures=true",
                            "sources=" + liar.address() + "," + address(cluster, 2) + "," + address(cluster, 3))) {
                awaitEqual(cluster, follower, 0);

                assertThat(follower.status().getFaultySourcesList())
                        .singleElement()
                        .asString()
                        .contains("is not signed by its broker");
            }
        }
    }

    @Test
    void shouldLeaveASilentSourceAndOneThatWithholdsCertificates() throws Exception {
        try (TestCluster cluster =
                cluster(parameters -> parameters.setLogWindow(8).setPipelineWindow(4))) {
            TestBroker broker = cluster.broker(1);
            commit(cluster, broker, BATCHES);
            try (LyingFeed silent = new LyingFeed(
                            gatewayPort(cluster, 1),
                            item -> item.hasHead() || item.getBlock().getSequence() < 5 && item.hasBlock()
                                    ? item
                                    : null);
                    LyingFeed withholding =
                            new LyingFeed(gatewayPort(cluster, 2), item -> item.hasCertificate() ? null : item);
                    TestFollower follower = new TestFollower(
                            directory,
                            cluster,
                            FAST_STALL,
                            "sources=" + silent.address() + "," + withholding.address() + "," + address(cluster, 3))) {
                awaitEqual(cluster, follower, 0);
                cluster.await(
                        "certificates from the third",
                        () -> follower.status().getLastCertified()
                                > follower.status().getLastBlock() - 12);

                assertThat(follower.status().getFaultySourcesList()).isEmpty();
            }
        }
    }

    /** One source alone may be the liar: without a certificate or a second member nothing is stored. */
    @Test
    void shouldHoldWhatOneSourceAloneSays() throws Exception {
        try (TestCluster cluster = TestCluster.start(
                parameters -> parameters.setCheckpointInterval(64).setLogWindow(256))) {
            cluster.certifyNothing();
            TestBroker broker = cluster.broker(1);
            commit(cluster, broker, BATCHES);
            try (TestFollower alone = new TestFollower(directory.resolve("alone"), cluster, sources(cluster, 1));
                    TestFollower trusting = new TestFollower(
                            directory.resolve("trusting"), cluster, sources(cluster, 1), "confirm=source")) {
                awaitEqual(cluster, trusting, 0);
                cluster.await("blocks are held", () -> alone.status().getHeldBlocks() > 0);

                assertThat(alone.status().getLastBlock()).isZero();
            }
            try (TestFollower two = new TestFollower(directory.resolve("alone"), cluster, sources(cluster, 1, 2))) {
                awaitEqual(cluster, two, 0);
            }
        }
    }

    @Test
    void shouldFollowAnotherFollower() throws Exception {
        try (TestCluster cluster = cluster(UnaryOperator.identity());
                TestFollower first = new TestFollower(directory.resolve("first"), cluster);
                TestFollower second = new TestFollower(
                        directory.resolve("second"), cluster, "sources=127.0.0.1:" + first.gatewayPort())) {
            commit(cluster, cluster.broker(1), BATCHES);

            awaitEqual(cluster, second, 0);
            assertEqualArchives(cluster, second);
        }
    }

    /** Far behind, with a small budget for reads of the archive: the cluster commits meanwhile. */
    @Test
    void shouldCatchUpFromFarBehindWithinTheBudgetOfItsSource() throws Exception {
        try (TestCluster cluster = cluster(UnaryOperator.identity(), "feed-archive-bytes-per-second=65536")) {
            TestBroker broker = cluster.broker(1);
            for (int i = 0; i < 10; i++) {
                commit(cluster, broker, 50);
            }
            try (TestFollower follower = new TestFollower(directory, cluster)) {
                cluster.await("it has begun", () -> follower.status().getLastBlock() > 0);
                commit(cluster, broker, 10);
                awaitEqual(cluster, follower, 0);
                assertEqualArchives(cluster, follower);
            }
        }
    }

    /** A block for each batch. */
    private static TestCluster cluster(UnaryOperator<Parameters.Builder> change, String... nodeProperties)
            throws Exception {
        return TestCluster.start(parameters -> change.apply(parameters.setBlockMaxBatches(1)), nodeProperties);
    }

    private static String sources(TestCluster cluster, int... nodes) {
        StringBuilder text = new StringBuilder("sources=");
        for (int node : nodes) {
            text.append(text.charAt(text.length() - 1) == '=' ? "" : ",").append(address(cluster, node));
        }
        return text.toString();
    }

    private static int gatewayPort(TestCluster cluster, int node) {
        return cluster.genesis().genesis().getNodes(node).getGatewayPort();
    }

    private static String address(TestCluster cluster, int node) {
        return "127.0.0.1:" + gatewayPort(cluster, node);
    }

    private long committed;

    private void commit(TestCluster cluster, TestBroker broker, int batches) throws Exception {
        for (int i = 0; i < batches; i++) {
            broker.submitTo(0, broker.batch(2));
        }
        committed += batches;
        long all = committed;
        cluster.await("batches are committed", () -> cluster.node(0).status().getCommittedBatches() >= all);
    }

    private static void awaitEqual(TestCluster cluster, TestFollower follower, int node) throws Exception {
        cluster.await("the follower has the last block of node " + node, () -> {
            var last = cluster.node(node).status();
            assertThat(follower.failures).isEmpty();
            return follower.status().getLastBlock() == last.getLastDelivered()
                    && follower.lastExecuted() == last.getLastDelivered();
        });
        assertThat(follower.status().getLastBlockHash())
                .isEqualTo(cluster.node(node).status().getLastBlockHash());
    }

    private static void assertEqualArchives(TestCluster cluster, TestFollower follower) throws IOException {
        try (ArchiveReader node = ArchiveReader.open(cluster.nodeDirectory(0).archive())) {
            for (long sequence = 1; sequence <= follower.status().getLastBlock(); sequence++) {
                assertThat(follower.block(sequence))
                        .isEqualTo(node.read(sequence).orElseThrow());
            }
        }
    }

    private static FeedItem blockAltered(FeedItem item, long sequence, UnaryOperator<Block> lie) {
        if (!item.hasBlock() || item.getBlock().getSequence() < sequence) {
            return item;
        }
        Block told = lie.apply(Block.wrap(item.getBlock().getBlock().toByteArray()));
        return FeedItem.newBuilder()
                .setBlock(BlockData.newBuilder()
                        .setSequence(item.getBlock().getSequence())
                        .setBlock(ByteString.copyFrom(told.bytes())))
                .build();
    }

    private static FeedItem certificateForged(FeedItem item) {
        if (!item.hasCertificate()) {
            return item;
        }
        byte[] forged = item.getCertificate().toByteArray();
        forged[forged.length - 30] ^= 1;
        return FeedItem.newBuilder().setCertificate(ByteString.copyFrom(forged)).build();
    }

    private static Block altered(Block block, int at) {
        byte[] bytes = block.bytes().clone();
        bytes[at] ^= 1;
        return Block.wrap(bytes);
    }

    /** Blocks of its own in the place of agreed ones: sound by themselves, with a chain of proposals of its own. */
    private static final class Fork implements UnaryOperator<Block> {
        private final TestCluster cluster;

        Fork(TestCluster cluster) {
            this.cluster = cluster;
        }

        @Override
        public Block apply(Block block) {
            var header = block.header();
            var proposal = new Proposal(
                    header.view() + 1,
                    header.sequence(),
                    header.blockTimeNs(),
                    proposalBefore(header.sequence()),
                    List.of());
            return Block.wrap(new BlockBuilder()
                    .begin(
                            header.sequence(),
                            header.view() + 1,
                            header.blockTimeNs(),
                            proposal.digest(),
                            header.previousHash())
                    .build());
        }

        private Digest proposalBefore(long sequence) {
            try (ArchiveReader node =
                    ArchiveReader.open(cluster.nodeDirectory(0).archive())) {
                return Block.wrap(node.read(sequence - 1).orElseThrow())
                        .header()
                        .proposalDigest();
            }
        }
    }

    /** Cuts bytes off the last segment, as a power cut would. */
    private static void tear(Path archive) throws IOException {
        try (Stream<Path> files = Files.list(archive)) {
            Path last = files.filter(file -> file.toString().endsWith(".blocks"))
                    .sorted()
                    .reduce((before, after) -> after)
                    .orElseThrow();
            try (RandomAccessFile file = new RandomAccessFile(last.toFile(), "rw")) {
                file.setLength(file.length() - 40);
            }
        }
    }
}
