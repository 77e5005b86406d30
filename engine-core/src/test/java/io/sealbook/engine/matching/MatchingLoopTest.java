package io.sealbook.engine.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockLocation;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.journal.JournalReader;
import io.sealbook.engine.marketdata.DepthView;
import io.sealbook.engine.meters.EngineMeters;
import io.sealbook.engine.meters.EngineReaders;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.output.OutputMessages;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.facts.Facts;
import io.sealbook.handoff.BlockResult;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TradeDecoder;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class MatchingLoopTest {
    @TempDir
    Path temp;

    private Path directory;
    private GenesisFile genesis;
    private TestNode node;

    @BeforeEach
    void writeDirectory() {
        directory = temp.resolve("node0");
        genesis = TestMarket.write(directory, 1);
        node = new TestNode(directory, genesis.digest());
    }

    @Test
    void shouldPublishOneResultForEachBlock() throws Exception {
        node.commitFlow(new TestFlow(1), 20, 3, 10);

        try (TestEngine engine = start(directory)) {
            engine.await(20);
        }

        assertThat(sequences(node.results())).containsExactlyElementsOf(upTo(20));
    }

    @Test
    void shouldFollowBlocksAsTheyCome() throws Exception {
        TestFlow flow = new TestFlow(2);
        try (TestEngine engine = TestEngine.withoutTimer(directory)) {
            for (int block = 1; block <= 5; block++) {
                node.commitFlow(flow, 1, 2, 5);
                engine.await(block);
                assertThat(engine.monitor.lastExecuted()).isEqualTo(block);
            }
        }

        assertThat(sequences(node.results())).containsExactlyElementsOf(upTo(5));
    }

    /** Depth that may not go out yet when its block was executed; no further block comes. */
    @Test
    void shouldWakeForDepthThatWaits() throws Exception {
        TestFlow flow = new TestFlow(2);
        try (TestEngine engine = TestEngine.withoutTimer(directory)) {
            for (int block = 1; block <= 5; block++) {
                node.commitFlow(flow, 1, 2, 5);
                long sequence = block;
                Facts.await("depth of block " + block, () -> newestDepth(engine) == sequence);
            }
        }
    }

    /** All engines name the same block of a quiet book, whichever of them has started again. */
    @Test
    void shouldNameTheBlockThatChangedABookLastAfterARestart() throws Exception {
        TestFlow flow = new TestFlow(2);
        try (TestEngine engine = start(directory)) {
            node.commit(flow.batch(1, List.of(TestFlow.Entry.limit(1, 7, 1, Side.BUY, 5_000, 10))));
            for (int clOrdId = 2; clOrdId <= 4; clOrdId++) {
                node.commit(flow.batch(1, List.of(TestFlow.Entry.limit(clOrdId, 7, 2, Side.BUY, 5_000, 10))));
            }
            engine.await(4);
        }

        try (TestEngine engine = start(directory)) {
            assertThat(engine.awaitRestored()).isEqualTo(4);
            DepthView quiet = engine.board.of(1).orElseThrow();
            assertThat(quiet.blockSequence()).isEqualTo(1);
            assertThat(quiet.timeNs())
                    .isEqualTo(Block.wrap(node.blocks().getFirst()).header().blockTimeNs());
            assertThat(quiet.bids().quantities()).containsExactly(10);
            assertThat(engine.board.of(2).orElseThrow().blockSequence()).isEqualTo(4);
        }
    }

    @Test
    void shouldGiveABookThatNoBlockHasChangedNoTime() throws Exception {
        TestFlow flow = new TestFlow(2);
        try (TestEngine engine = start(directory)) {
            node.commit(flow.batch(1, List.of(TestFlow.Entry.limit(1, 7, 2, Side.BUY, 5_000, 10))));
            engine.await(1);

            assertThat(engine.board.of(1).orElseThrow().blockSequence()).isZero();
            assertThat(engine.board.of(1).orElseThrow().timeNs()).isZero();
        }
    }

    /** Returns the last block whose depth was published. */
    private static long newestDepth(TestEngine engine) {
        return engine.market.instrumentIds().stream()
                .mapToLong(id -> engine.board.of(id).orElseThrow().blockSequence())
                .max()
                .orElseThrow();
    }

    @Test
    void shouldGiveSameDigestsAndReportsWhereverItIsStopped() throws Exception {
        node.commitFlow(new TestFlow(3), 60, 3, 8);
        Map<Integer, ByteBuffer> expectedReports;
        try (TestEngine engine = start(directory)) {
            engine.await(60);
            expectedReports = reports(engine);
        }

        // The same blocks come in stretches, and between them the engine is stopped, with and without a snapshot in
        // between.
        Path other = temp.resolve("other");
        TestMarket.write(other, 1);
        TestNode otherNode = new TestNode(other, genesis.digest());
        int[] stops = {1, 2, 17, 40, 41, 60};
        int from = 0;
        for (int stop : stops) {
            otherNode.write(node.blocks().subList(from, stop));
            try (TestEngine engine = start(other, "snapshots.every-blocks", "25")) {
                engine.await(stop);
                assertThat(engine.monitor.lastExecuted()).isEqualTo(stop);
            }
            from = stop;
        }
        try (TestEngine engine = start(other)) {
            engine.await(60);
            assertThat(reports(engine)).isEqualTo(expectedReports);
        }

        assertThat(sequences(otherNode.results())).containsExactlyElementsOf(upTo(60));
        assertThat(digests(otherNode.results())).isEqualTo(digests(node.results()));
    }

    @Test
    void shouldRecoverFromACopyTakenAtAnyMoment() throws Exception {
        node.commitFlow(new TestFlow(4), 200, 4, 20);
        List<Path> copies = new ArrayList<>();
        Map<Integer, ByteBuffer> expectedReports;
        try (TestEngine engine = start(directory, "snapshots.every-blocks", "45", "journal.segment-bytes", "1000000")) {
            for (int i = 0; i < 4; i++) {
                engine.await(1 + 50L * i);
                copies.add(copy(directory, "copy" + i));
            }
            engine.await(200);
            expectedReports = reports(engine);
        }
        List<Digest> expected = digests(node.results());

        for (Path copy : copies) {
            TestNode copied = new TestNode(copy, genesis.digest());
            try (TestEngine engine = start(copy)) {
                engine.await(200);

                assertThat(engine.monitor.failure()).isEmpty();
                assertThat(reports(engine)).isEqualTo(expectedReports);
            }
            assertThat(sequences(copied.results())).containsExactlyElementsOf(upTo(200));
            assertThat(digests(copied.results())).isEqualTo(expected);
        }
    }

    @Test
    void shouldUseOlderSnapshotWhenNewestIsDamaged() throws Exception {
        node.commitFlow(new TestFlow(5), 40, 2, 10);
        try (TestEngine engine = start(directory, "snapshots.every-blocks", "10")) {
            engine.await(40);
        }
        Path newest = files(directory.resolve("engine/snapshots")).getLast();
        byte[] bytes = Files.readAllBytes(newest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(newest, bytes);

        node.commitFlow(new TestFlow(55), 1, 2, 10);
        try (TestEngine engine = start(directory)) {
            engine.await(41);
            assertThat(engine.monitor.failure()).isEmpty();
        }

        assertThat(sequences(node.results())).containsExactlyElementsOf(upTo(41));
    }

    @Test
    void shouldStopWhenExecutingAgainGivesAnotherResult() throws Exception {
        node.commitFlow(new TestFlow(6), 5, 2, 10);
        try (TestEngine engine = start(directory)) {
            engine.await(5);
        }
        // Results of one history beside the blocks of another.
        Path fed = temp.resolve("fed");
        TestMarket.write(fed, 1);
        TestNode fedNode = new TestNode(fed, genesis.digest());
        fedNode.commitFlow(new TestFlow(66), 5, 2, 10);
        copyTree(directory.resolve("queue/results"), fed.resolve("queue/results"));

        try (TestEngine engine = start(fed)) {
            assertThat(engine.awaitFailure())
                    .isInstanceOf(BrokenInvariantException.class)
                    .hasMessageContaining("block 1 was published with digest");
            assertThat(engine.monitor.phase()).isEqualTo(EnginePhase.FAILED);
            assertThat(engine.journal.lastBlock()).isZero();
        }
    }

    @Test
    void shouldStopAtAGap() throws InterruptedException {
        node.commitFlow(new TestFlow(7), 2, 1, 3);
        node.write(List.of(TestNode.build(4, Digest.ZERO)));

        try (TestEngine engine = start(directory)) {
            assertThat(engine.awaitFailure())
                    .hasMessageContaining("queue has a gap: block 4, the engine needs block 3");
        }
        assertThat(sequences(node.results())).containsExactly(1L, 2L);
    }

    @Test
    void shouldStopAtABrokenChain() throws InterruptedException {
        node.commitFlow(new TestFlow(8), 1, 1, 3);
        node.write(List.of(TestNode.build(2, Digest.ZERO)));

        try (TestEngine engine = start(directory)) {
            assertThat(engine.awaitFailure())
                    .hasMessageContaining("block 2 names 0000")
                    .hasMessageContaining("expected");
        }
    }

    @Test
    void shouldMakeTheReportsThatTheJournalHasWhole() throws Exception {
        node.commitFlow(new TestFlow(11), 20, 60, 12);
        Path other = copy(directory, "other");
        Map<Integer, ByteBuffer> whole;
        try (TestEngine engine = start(directory)) {
            engine.await(20);
            whole = journaled(engine);
            assertThat(reports(engine)).isEqualTo(whole);
        }
        // Segments end inside of runs and at their ends.
        for (int perSegment : new int[] {100, 256, 300, 3_000}) {
            Path engineDirectory = copy(other, "other-" + perSegment);
            try (TestEngine engine = startWithoutJournal(engineDirectory, perSegment)) {
                engine.await(20);
                assertThat(reports(engine)).isEqualTo(whole);
            }
            try (TestEngine engine = startWithoutJournal(engineDirectory, perSegment)) {
                engine.await(20);
                assertThat(reports(engine)).as("after a restart").isEqualTo(whole);
            }
        }
        assertThat(whole.values()).anyMatch(bytes -> bytes.remaining() > 20 * 256 * ReportStore.RECORD_LENGTH);
    }

    /** Returns each broker's reports in the journal: as the core showed them, one by one. */
    private static Map<Integer, ByteBuffer> journaled(TestEngine engine) {
        Map<Integer, ByteArrayOutputStream> reports = new HashMap<>();
        OutputMessages.Visitor visitor = new OutputMessages.Visitor() {
            @Override
            public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
                reports.computeIfAbsent((int) report.brokerId(), broker -> new ByteArrayOutputStream())
                        .write(bytes, offset, ReportStore.RECORD_LENGTH);
            }

            @Override
            public void onTrade(int index, TradeDecoder trade) {}
        };
        try (JournalReader reader = engine.journal.readAfter(0)) {
            long block;
            do {
                block = reader.next(visitor);
            } while (block >= 0);
        }
        Map<Integer, ByteBuffer> whole = new HashMap<>();
        reports.forEach((broker, bytes) -> whole.put(broker, ByteBuffer.wrap(bytes.toByteArray())));
        return whole;
    }

    private static TestEngine startWithoutJournal(Path directory, int perSegment) {
        return new TestEngine(
                directory,
                Map.of(
                        "sealbook.engine.directory",
                        directory.toString(),
                        "sealbook.engine.frame-bytes",
                        "2048",
                        "sealbook.engine.ring-frames",
                        "16",
                        "sealbook.engine.reports.per-segment",
                        Integer.toString(perSegment)),
                false);
    }

    @Test
    void shouldStopAtAnExcerptThatIsNoLocation() throws InterruptedException {
        node.handOver(List.of(new byte[] {1, 2, 3}));

        try (TestEngine engine = start(directory)) {
            assertThat(engine.awaitFailure()).hasMessageContaining("3 bytes are no location of a block");
        }
    }

    /** A disk has changed the block; the node repairs it from a peer. */
    @Test
    void shouldWaitForABlockWhoseBytesAreOthersThanWereHandedOver() throws Exception {
        node.commitFlow(new TestFlow(12), 1, 1, 3);
        byte[] block = TestNode.build(2, Block.wrap(node.blocks().get(0)).hash());
        BlockLocation location = node.nextLocation(block);
        byte[] damaged = block.clone();
        damaged[block.length - 1] ^= 1;
        node.append(location, damaged);
        node.handOver(List.of(location.encode()));

        try (TestEngine engine = start(directory)) {
            engine.await(1);
            Facts.await("the engine does not execute", () -> !engine.monitor.isExecuting());
            assertThat(engine.monitor.lastExecuted()).isEqualTo(1);
            assertThat(engine.monitor.obstacle())
                    .hasValueSatisfying(fact -> assertThat(fact).contains("block 2"));
            assertThat(up(engine)).isZero();
            try (FileChannel file =
                    FileChannel.open(location.file(directory.resolve("archive")), StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(block), location.offset());
            }
            engine.await(2);
            Facts.await("the engine executes again", engine.monitor::isExecuting);
            assertThat(up(engine)).isOne();
        }

        assertThat(sequences(node.results())).containsExactly(1L, 2L);
    }

    private static double up(TestEngine engine) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new EngineMeters(engine.monitor, () -> 0, () -> 1, new EngineReaders(() -> 0, () -> 0, () -> 0))
                .bindTo(registry);
        return registry.get("sealbook.engine.up").gauge().value();
    }

    /** After a power failure the queue can be ahead of the archive; the node writes the same bytes again. */
    @Test
    void shouldWaitForABlockThatTheArchiveHasLost() throws Exception {
        node.commitFlow(new TestFlow(13), 1, 1, 3);
        byte[] block = TestNode.build(2, Block.wrap(node.blocks().get(0)).hash());
        BlockLocation location = node.nextLocation(block);
        node.handOver(List.of(location.encode()));

        try (TestEngine engine = start(directory)) {
            engine.await(1);
            Facts.await("the engine does not execute", () -> !engine.monitor.isExecuting());
            assertThat(engine.monitor.lastExecuted()).isEqualTo(1);
            node.append(location, Arrays.copyOf(block, 100));
            node.append(location, Arrays.copyOfRange(block, 100, block.length));
            engine.await(2);
        }

        assertThat(sequences(node.results())).containsExactly(1L, 2L);
    }

    @Test
    void shouldSayThatQueueStartsTooLate() throws Exception {
        node.commitFlow(new TestFlow(9), 3, 1, 3);
        Path late = temp.resolve("late");
        TestMarket.write(late, 1);
        new TestNode(late, genesis.digest()).write(node.blocks().subList(1, 3));

        try (TestEngine engine = start(late)) {
            assertThat(engine.awaitFailure()).hasMessageContaining("queue starts at block 2, the engine needs block 1");
        }
    }

    private static TestEngine start(Path directory, String... settings) {
        Map<String, String> map = new HashMap<>();
        map.put("sealbook.engine.directory", directory.toString());
        map.put("sealbook.engine.frame-bytes", "2048");
        map.put("sealbook.engine.ring-frames", "16");
        map.put("sealbook.engine.reports.per-segment", "3000");
        for (int i = 0; i < settings.length; i += 2) {
            map.put("sealbook.engine." + settings[i], settings[i + 1]);
        }
        return new TestEngine(directory, map);
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
        assertThat(reports.values()).allMatch(ByteBuffer::hasRemaining);
        return reports;
    }

    private Path copy(Path from, String name) throws IOException {
        Path to = temp.resolve(name);
        copyTree(from, to);
        return to;
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else if (Files.exists(path)) {
                    copySparse(path, target);
                }
            }
        }
    }

    /** Queue files are sparse; a plain copy would write gigabytes of zeros. */
    private static void copySparse(Path from, Path to) throws IOException {
        try {
            if (new ProcessBuilder("cp", "--sparse=always", from.toString(), to.toString())
                            .inheritIO()
                            .start()
                            .waitFor()
                    != 0) {
                assertThat(from).doesNotExist();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private static List<Long> sequences(List<BlockResult> results) {
        return results.stream().map(BlockResult::sequence).toList();
    }

    private static List<Digest> digests(List<BlockResult> results) {
        return results.stream().map(BlockResult::digest).toList();
    }

    private static List<Long> upTo(long last) {
        return java.util.stream.LongStream.rangeClosed(1, last).boxed().toList();
    }
}
