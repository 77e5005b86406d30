package com.example.bank;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.bank.DropCopy.Block;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.output.BlockOutput;
import io.sealbook.engine.output.DirectOutput;
import io.sealbook.engine.output.OutputRing;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.facts.Facts;
import io.sealbook.handoff.BlockResult;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.GetEngineStatusRequest;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

/** An application of another package executes the blocks of a node on real queues and an archive. */
@Timeout(300)
class EmbeddedEngineTest {
    private static final int BLOCKS = 6;

    @TempDir
    private Path directory;

    @Test
    void shouldPublishTheResultsOfEveryOtherEngine() throws Exception {
        TestNode node = commit(directory.resolve("bank"));
        TestNode other = commit(directory.resolve("other"));
        try (TestEngine engine = new TestEngine(directory.resolve("other"), Map.of())) {
            engine.await(BLOCKS);
        }

        try (ConfigurableApplicationContext bank = start()) {
            awaitExecuted(bank);
            assertThat(bank.getBean("engineHealthIndicator", HealthIndicator.class)
                            .health()
                            .getStatus())
                    .isEqualTo(Status.UP);
        }

        assertThat(digests(node)).hasSize(BLOCKS).isEqualTo(digests(other));
    }

    @Test
    void shouldGiveEveryOutputToTheBanksConsumer() throws Exception {
        commit(directory.resolve("bank"));

        List<Block> expected = new ArrayList<>();
        List<Block> taken;
        try (ConfigurableApplicationContext bank = start()) {
            awaitExecuted(bank);
            bank.getBean(EngineMonitor.class)
                    .recentBlocks(BLOCKS)
                    .forEach(block ->
                            expected.add(new Block(block.sequence(), block.reportCount(), block.tradeCount())));
            taken = bank.getBean(DropCopy.class).blocks;
            assertThat(bank.getBean(DropCopy.class).begins).containsExactly(0L);
            assertThat(bank.getBean(BlockOutput.class)).isInstanceOf(OutputRing.class);
        }

        assertThat(taken).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(taken).extracting(Block::sequence).isSorted();
        assertThat(taken).anyMatch(block -> block.trades() > 0).allMatch(block -> block.reports() > 0);
    }

    @Test
    void shouldUseTheBanksOutputsInsteadOfItsOwn() throws Exception {
        TestNode node = commit(directory.resolve("bank"));

        try (ConfigurableApplicationContext bank = start("bank.own-outputs=true")) {
            awaitExecuted(bank);

            assertThat(bank.getBean(BlockOutput.class)).isInstanceOf(DirectOutput.class);
            assertThat(bank.getBeansOfType(OutputRing.class)).isEmpty();
            assertThat(bank.getBean(DropCopy.class).blocks).hasSize(BLOCKS);
            assertThat(reports(bank)).isPositive();
            assertThat(statusBlock(bank)).isEqualTo(OwnOutputs.BLOCK);
        }

        assertThat(node.results()).hasSize(BLOCKS);
    }

    /** After the last block the matching loop has no reason to notice the failure before the application ends. */
    @ParameterizedTest
    @ValueSource(longs = {4, BLOCKS})
    void shouldTakeOutputsAgainThatTheConsumerFailedToTake(long failAt) throws Exception {
        commit(directory.resolve("bank"));

        List<Block> before;
        try (ConfigurableApplicationContext bank =
                start("bank.fail-at=" + failAt, "sealbook.engine.snapshots.every-blocks=1")) {
            DropCopy copy = bank.getBean(DropCopy.class);
            Facts.await("the engine's failure", copy.failure::isDone);
            assertThat(copy.failure.join()).hasMessage("the bank's ledger is full");
            assertThat(bank.getBean("engineHealthIndicator", HealthIndicator.class)
                            .health()
                            .getStatus())
                    .isEqualTo(Status.DOWN);
            before = copy.blocks;
        }
        List<Block> after;
        try (ConfigurableApplicationContext bank = start()) {
            awaitExecuted(bank);
            after = bank.getBean(DropCopy.class).blocks;
        }

        assertThat(before)
                .extracting(Block::sequence)
                .containsExactly(LongStream.range(1, failAt).boxed().toArray(Long[]::new));
        assertThat(after)
                .extracting(Block::sequence)
                .contains(LongStream.rangeClosed(failAt, BLOCKS).boxed().toArray(Long[]::new));
    }

    private static TestNode commit(Path root) {
        TestNode node = new TestNode(root, TestMarket.write(root, 7_000).digest());
        node.commitFlow(new TestFlow(56), BLOCKS, 3, 20);
        return node;
    }

    private ConfigurableApplicationContext start(String... settings) {
        return new SpringApplicationBuilder(BankApplication.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .properties("sealbook.engine.directory=" + directory.resolve("bank"))
                .properties("logging.level.root=warn")
                .properties(settings)
                .run();
    }

    /** Returns once all blocks are executed and the consumer has taken them. */
    private static void awaitExecuted(ConfigurableApplicationContext bank) throws Exception {
        EngineMonitor monitor = bank.getBean(EngineMonitor.class);
        List<Block> taken = bank.getBean(DropCopy.class).blocks;
        Facts.await(
                () -> "block " + BLOCKS + ", executed " + monitor.lastExecuted() + ", " + monitor.failure(),
                () -> monitor.failure().isPresent()
                        || (!taken.isEmpty() && taken.getLast().sequence() == BLOCKS));
        assertThat(monitor.failure()).isEmpty();
    }

    private static long reports(ConfigurableApplicationContext bank) {
        return bank.getBean(ReportStores.class).all().stream()
                .mapToLong(ReportStore::last)
                .sum();
    }

    private static long statusBlock(ConfigurableApplicationContext bank) {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        "127.0.0.1", bank.getBean(EngineGrpcServer.class).port())
                .usePlaintext()
                .build();
        try {
            return EngineStatusGrpc.newBlockingStub(channel)
                    .getEngineStatus(GetEngineStatusRequest.getDefaultInstance())
                    .getLastExecuted();
        } finally {
            channel.shutdownNow();
        }
    }

    private static List<Digest> digests(TestNode node) {
        return node.results().stream().map(BlockResult::digest).toList();
    }
}
