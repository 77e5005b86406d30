package io.sealbook.engine.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.output.BlockEnd;
import io.sealbook.engine.output.OutputConsumer;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.facts.Facts;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.TradeDecoder;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An engine whose results are wrong after block 40 of 60, and its way back. It has snapshots of blocks 35 and 60. */
@Timeout(300)
class EngineRebuildTest {
    private static final int BLOCKS = 60;
    private static final int RIGHT = 40;
    private static final int CHECKPOINT = 48;
    private static final Map<String, String> SETTINGS =
            Map.of("sealbook.engine.snapshots.every-blocks", "35", "sealbook.engine.database.enabled", "false");

    @TempDir
    private Path temp;

    private Path directory;
    private GenesisFile genesis;
    private EngineDirectory files;
    private List<byte[]> blocks;
    private List<Digest> right;
    private Map<Integer, ByteBuffer> rightReports;
    private Digest wrong;
    /** Of an application with the engine of the node. */
    private final Ledger ledger = new Ledger();

    private final Ledger rightLedger = new Ledger();

    /** Keeps the trades of each block once. */
    private static final class Ledger implements OutputConsumer {
        final NavigableMap<Long, List<String>> blocks = new ConcurrentSkipListMap<>();
        final List<String> begins = new CopyOnWriteArrayList<>();
        private final List<String> block = new ArrayList<>();

        @Override
        public void onBegin(long afterBlock, boolean areReplaced) {
            begins.add(afterBlock + (areReplaced ? ", replaced" : ""));
            if (areReplaced) {
                blocks.tailMap(afterBlock, false).clear();
            }
        }

        @Override
        public void onTrade(int index, TradeDecoder trade) {
            block.add(trade.toString());
        }

        @Override
        public void onBlockEnd(BlockEnd end) {
            blocks.putIfAbsent(end.block().sequence(), List.copyOf(block));
            block.clear();
        }
    }

    /** What stands for wrong memory: the engine has executed other blocks than those that its node hands over. */
    @BeforeEach
    void makeWrongEngine() throws Exception {
        Path correct = temp.resolve("correct");
        genesis = TestMarket.write(correct, 1);
        TestNode correctNode = new TestNode(correct, genesis.digest());
        correctNode.commitFlow(new TestFlow(3), BLOCKS, 3, 8);
        blocks = correctNode.blocks();
        try (TestEngine engine = new TestEngine(correct, SETTINGS, rightLedger)) {
            engine.await(BLOCKS);
            rightReports = reports(engine);
        }
        right = digests(correctNode.results());

        directory = temp.resolve("node0");
        files = new EngineDirectory(directory);
        TestMarket.write(directory, 1);
        TestNode liar = new TestNode(directory, genesis.digest());
        TestFlow flow = new TestFlow(3);
        liar.commitFlow(flow, RIGHT, 3, 8);
        liar.commitFlow(new TestFlow(4), BLOCKS - RIGHT, 3, 8);
        try (TestEngine engine = new TestEngine(directory, SETTINGS, ledger)) {
            engine.await(BLOCKS);
        }
        wrong = digests(liar.results()).get(CHECKPOINT - 1);
        assertThat(wrong).isNotEqualTo(right.get(CHECKPOINT - 1));
        delete(directory.resolve("archive"));
        delete(files.blocks());
        new TestNode(directory, genesis.digest()).write(blocks);
    }

    @Test
    void shouldComeToTheResultsOfTheOthersFromAProvenSnapshot() throws Exception {
        isolate(right.get(CHECKPOINT - 1), 38);

        try (TestEngine engine = new TestEngine(directory, SETTINGS, false)) {
            assertThat(engine.awaitRestored())
                    .as("the snapshot of block 60 is wrong")
                    .isEqualTo(35);
            engine.await(BLOCKS);
            assertThat(reports(engine)).isEqualTo(rightReports);
        }

        List<BlockResult> results = results();
        assertThat(results).hasSize(BLOCKS + BLOCKS - 35);
        assertThat(digests(results.subList(BLOCKS, results.size()))).isEqualTo(right.subList(35, BLOCKS));
        EngineRebuild after = new EngineRebuild(files, false);
        assertThat(after.isDue()).isFalse();
        assertThat(after.total()).isEqualTo(1);
        assertThat(after.begin()).as("an ordinary start").isEmpty();
    }

    /** It keeps the outputs of a block once, because blocks after a snapshot come again after each crash. */
    @Test
    void shouldReportToAConsumerThatOutputsAreReplaced() throws Exception {
        isolate(right.get(CHECKPOINT - 1), 38);
        assertThat(ledger.blocks).isNotEqualTo(rightLedger.blocks);

        for (int start = 1; start <= 2; start++) {
            try (TestEngine engine = new TestEngine(directory, SETTINGS, ledger)) {
                engine.await(BLOCKS);
            }
        }

        assertThat(ledger.blocks).isEqualTo(rightLedger.blocks);
        assertThat(ledger.begins).containsExactly("0", "35, replaced", "60");
    }

    @Test
    void shouldBeginWithTheEmptyMarketIfNoSnapshotIsProven() throws Exception {
        isolate(right.get(CHECKPOINT - 1), 0);

        try (TestEngine engine = new TestEngine(directory, SETTINGS, false)) {
            engine.await(BLOCKS);
            assertThat(reports(engine)).isEqualTo(rightReports);
        }

        List<BlockResult> results = results();
        assertThat(digests(results.subList(BLOCKS, results.size()))).isEqualTo(right);
    }

    /** What was replaced counts no more, whatever the engine compares or reports after it is killed under way. */
    @Test
    void shouldGoOnAfterEachStopOnTheWay() throws Exception {
        delete(directory.resolve("archive"));
        delete(files.blocks());
        TestNode node = new TestNode(directory, genesis.digest());
        isolate(right.get(CHECKPOINT - 1), 38);
        assertThat(new EngineRebuild(files, false).begin()).isEqualTo(OptionalLong.of(38));
        assertThat(new EngineRebuild(files, false).begin())
                .as("nothing was reported")
                .isEqualTo(OptionalLong.of(38));
        int from = 0;
        for (int stop : List.of(36, 41, 47, 49, BLOCKS)) {
            node.write(blocks.subList(from, stop));
            from = stop;
            try (TestEngine engine = new TestEngine(directory, SETTINGS, false)) {
                engine.await(stop);
                assertThat(engine.monitor.failure()).isEmpty();
            }
        }

        List<BlockResult> results = results();
        assertThat(digests(results.subList(BLOCKS, results.size()))).isEqualTo(right.subList(35, BLOCKS));
        assertThat(new EngineRebuild(files, false).total()).isEqualTo(1);
    }

    @Test
    void shouldEndWhenItsNodeIsIsolated() throws Exception {
        delete(directory.resolve("engine"));
        delete(files.results());
        try (TestEngine engine = new TestEngine(directory, SETTINGS, false)) {
            engine.await(BLOCKS);
            isolate(Digest.sha256(new byte[1]), 0);

            assertThat(engine.awaitFailure())
                    .isInstanceOf(EngineRebuildException.class)
                    .hasMessageContaining("the result of block 48");
        }
    }

    @Test
    void shouldGiveUpAfterTwoAttempts() throws Exception {
        isolate(Digest.sha256(new byte[1]), 38);
        for (int attempt = 1; attempt <= EngineRebuild.ATTEMPTS_MAX; attempt++) {
            try (TestEngine engine = new TestEngine(directory, SETTINGS, false)) {
                assertThat(engine.awaitRestored()).isEqualTo(attempt == 1 ? 35 : 0);
                engine.await(BLOCKS);
            }
            EngineRebuild rebuild = new EngineRebuild(files, false);
            assertThat(rebuild.isDue()).isEqualTo(attempt < EngineRebuild.ATTEMPTS_MAX);
            assertThat(rebuild.givenUp().isPresent()).isEqualTo(attempt == EngineRebuild.ATTEMPTS_MAX);
            assertThat(rebuild.total()).isEqualTo(attempt);
        }

        try (TestEngine engine = new TestEngine(directory, SETTINGS, false)) {
            assertThat(engine.awaitRestored()).as("it goes on").isEqualTo(BLOCKS);
            assertThat(engine.monitor.isExecuting()).isFalse();
            assertThat(engine.monitor.wrongResult())
                    .hasValue("the result of block 48 is "
                            + right.get(CHECKPOINT - 1).hex() + ", the others have "
                            + Digest.sha256(new byte[1]).hex());
            Files.delete(files.isolation());
            Facts.await("the engine is well without an isolation", engine.monitor::isExecuting);
            isolate(Digest.sha256(new byte[1]), 38);
            Facts.await("the engine is wrong again", () -> !engine.monitor.isExecuting());
        }
        Files.delete(files.rebuild());
        assertThat(new EngineRebuild(files, false).isDue())
                .as("its operator orders another")
                .isTrue();
    }

    @Test
    void shouldNotBlameTheEngineForAnotherChain() throws Exception {
        new IsolationNotice(CHECKPOINT, Digest.ZERO, wrong, wrong, right.getFirst(), 0).write(files.isolation());

        assertThat(new EngineRebuild(files, false).isDue()).isFalse();
        Files.writeString(files.isolation(), "checkpoint=7\n");
        assertThat(new EngineRebuild(files, false).isDue()).as("no notice").isFalse();
    }

    @Test
    void shouldFillADatabaseAnew() throws Exception {
        isolate(right.get(CHECKPOINT - 1), 38);

        assertThat(new EngineRebuild(files, true).begin()).isEqualTo(OptionalLong.of(0));

        assertThat(files.staleDatabase()).exists();
    }

    /** Old files of the queue are deleted after snapshots. */
    @Test
    void shouldTakeFromTheArchiveWhatTheQueueHasNoMore() throws Exception {
        delete(directory.resolve("archive"));
        delete(files.blocks());
        isolate(right.get(CHECKPOINT - 1), 0);
        ArchiveConfig config = new ArchiveConfig(genesis.digest(), 16, Durability.PROCESS);
        try (BlockArchive archive = BlockArchive.open(files.archive(), config)) {
            blocks.forEach(archive::append);
            TestNode node = new TestNode(directory, genesis.digest());
            for (long sequence = 41; sequence <= BLOCKS; sequence++) {
                node.handOver(List.of(archive.location(sequence).orElseThrow().encode()));
            }

            try (TestEngine engine = new TestEngine(directory, SETTINGS, false)) {
                engine.await(BLOCKS);
                assertThat(reports(engine)).isEqualTo(rightReports);
            }
        }
    }

    private void isolate(Digest agreed, long provenTo) throws IOException {
        Digest chain = Digest.sha256(new byte[2]);
        new IsolationNotice(CHECKPOINT, chain, wrong, chain, agreed, provenTo).write(files.isolation());
    }

    private List<BlockResult> results() {
        return new TestNode(directory, Digest.ZERO).results();
    }

    private static List<Digest> digests(List<BlockResult> results) {
        return results.stream().map(BlockResult::digest).toList();
    }

    private static Map<Integer, ByteBuffer> reports(TestEngine engine) {
        Map<Integer, ByteBuffer> reports = new TreeMap<>();
        for (ReportStore store : engine.reports.all()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) store.last() * ReportStore.RECORD_LENGTH);
            long next = 1;
            while (next <= store.last()) {
                next += store.read(next, bytes);
            }
            reports.put(store.brokerId(), bytes.flip());
        }
        return reports;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> found = Files.walk(directory)) {
            for (Path file : found.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
