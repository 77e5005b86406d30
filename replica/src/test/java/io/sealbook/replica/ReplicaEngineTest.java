package io.sealbook.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.noop.NoopTimer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.archive.Block;
import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.engine.fixture.TestAdministration;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica's engine beside a separate one, on the same blocks. */
class ReplicaEngineTest {
    private static final int BLOCKS = 60;
    private static final int REPORTS_PER_SEGMENT = 262_144;
    private static final Map<String, String> SETTINGS = Map.of(
            "sealbook.engine.snapshots.every-blocks", "25",
            "sealbook.engine.snapshots.every-seconds", "1000000",
            "sealbook.engine.snapshots.spread", "0");

    @TempDir
    private Path temp;

    private Path separate;
    private Path directory;
    private List<byte[]> blocks;
    private List<Digest> expected;

    @BeforeEach
    void executeSeparately() throws Exception {
        separate = temp.resolve("separate");
        directory = temp.resolve("replica");
        Digest genesis = TestMarket.write(separate, 1).digest();
        TestMarket.write(directory, 1);
        TestNode node = new TestNode(separate, genesis);
        TestFlow flow = new TestFlow(3);
        node.commitFlow(flow, 16, 3, 8);
        node.commit(
                TestAdministration.batch(1, TestAdministration.setInstrument(2, InstrumentStatus.INSTRUMENT_HALTED)));
        node.commitFlow(flow, 22, 3, 8);
        node.commit(
                flow.batch(8),
                TestAdministration.batch(
                        2,
                        TestAdministration.setInstrument(2, InstrumentStatus.INSTRUMENT_TRADING),
                        TestAdministration.setBroker(4, BrokerStatus.BROKER_REMOVED),
                        TestAdministration.addBroker(9),
                        TestAdministration.addInstrument(7)));
        node.commit(flow.batch(9, List.of(Entry.limit(1, 900, 7, Side.BUY, 10, 5))));
        node.commitFlow(flow, BLOCKS - 41, 3, 8);
        try (TestEngine engine = new TestEngine(separate, SETTINGS, false)) {
            engine.await(BLOCKS);
        }
        blocks = node.blocks();
        expected = digests(separate);
    }

    @Test
    void shouldComeToTheResultsAndReportsOfASeparateEngineWhereverItIsStopped() throws IOException {
        long[] stops = {1, 2, 17, 40, 41, BLOCKS};
        for (long stop : stops) {
            try (ReplicaEngine engine = open(directory)) {
                executeTo(engine, stop);
            }
        }

        assertThat(digests(directory)).isEqualTo(expected);
        assertThat(reports(directory)).isEqualTo(reports(separate));
    }

    @Test
    void shouldExecuteTheTransactionsInTheBlocks() throws IOException {
        AgreedMarket market = AgreedMarket.read(directory.resolve("genesis.json"));
        try (ReplicaEngine engine = open(directory, market)) {
            executeTo(engine, BLOCKS);
        }

        assertThat(market.membership().number()).isEqualTo(2);
        assertThat(reports(directory)).containsKey(9);
    }

    @Test
    void shouldRecoverFromACopyTakenUnderWay() throws IOException {
        Path copy = temp.resolve("copy");
        try (ReplicaEngine engine = open(directory)) {
            executeTo(engine, 40);
            copy(directory, copy);
        }

        try (ReplicaEngine engine = open(copy)) {
            assertThat(restored(engine)).as("block of the last snapshot").isEqualTo(25);
            executeTo(engine, BLOCKS);
        }
        assertThat(digests(copy)).isEqualTo(expected);
        assertThat(reports(copy)).isEqualTo(reports(separate));
    }

    @Test
    void shouldGoOnFromTheFilesOfASeparateEngine() {
        try (ReplicaEngine engine = open(separate)) {
            Block last = Block.wrap(blocks.get(BLOCKS - 1));
            assertThat(engine.restored())
                    .contains(new InProcessEngine.Position(BLOCKS, last.hash(), expected.getLast()));
        }
    }

    @Test
    void shouldRefuseAResultThatDiffersFromTheOneOfAnEarlierRun() throws IOException {
        Path copy = temp.resolve("copy");
        try (ReplicaEngine engine = open(directory)) {
            executeTo(engine, 5);
            copy(directory, copy);
        }
        Digest genesis = AgreedMarket.read(copy.resolve("genesis.json")).genesisDigest();
        Block other = Block.wrap(TestNode.build(1, genesis, new TestFlow(4).batch(5)));

        try (ReplicaEngine engine = open(copy)) {
            assertThat(engine.restored()).isEmpty();
            assertThatThrownBy(() -> engine.execute(other))
                    .isInstanceOf(BrokenInvariantException.class)
                    .hasMessageContaining("block 1 was published with digest");
        }
    }

    /** The node closes the engine then, and opens it again. */
    @Test
    void shouldComeToTheResultsOfTheOthersWhenItIsOpenedAgain() throws IOException {
        Digest genesis = AgreedMarket.read(directory.resolve("genesis.json")).genesisDigest();
        Block other = Block.wrap(TestNode.build(1, genesis, new TestFlow(4).batch(5)));
        try (ReplicaEngine engine = open(directory)) {
            Digest wrong = engine.execute(other);
            assertThat(engine.isRebuildDue()).isFalse();
            Digest chain = Block.wrap(blocks.getFirst()).hash();
            new IsolationNotice(1, chain, wrong, chain, expected.getFirst(), 0)
                    .write(new EngineDirectory(directory).isolation());
            assertThat(engine.isRebuildDue()).isTrue();
        }

        try (ReplicaEngine engine = open(directory)) {
            assertThat(engine.restored()).isEmpty();
            executeTo(engine, BLOCKS);
            assertThat(engine.isRebuildDue()).isFalse();
        }
        List<Digest> told = digests(directory);
        assertThat(told.subList(1, told.size())).isEqualTo(expected);
        assertThat(reports(directory)).isEqualTo(reports(separate));
    }

    /** Its state may have half of a block. */
    @Test
    void shouldKeepNoSnapshotAfterAnErrorOfTheVirtualMachine() {
        AtomicBoolean isHeapFull = new AtomicBoolean();
        MeterRegistry failing = new SimpleMeterRegistry() {
            @Override
            protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector detector) {
                return new NoopTimer(id) {
                    @Override
                    public void record(long amount, TimeUnit unit) {
                        if (isHeapFull.get()) {
                            throw new OutOfMemoryError("Java heap space");
                        }
                    }
                };
            }
        };
        try (ReplicaEngine engine = open(directory, market(directory), failing)) {
            executeTo(engine, 2);
            isHeapFull.set(true);
            assertThatThrownBy(() -> engine.execute(Block.wrap(blocks.get(2)))).isInstanceOf(OutOfMemoryError.class);
        }

        try (ReplicaEngine engine = open(directory)) {
            assertThat(engine.restored()).isEmpty();
        }
    }

    /** The node may open it again in the same process: after an epoch, or for a rebuild. */
    @Test
    void shouldReleaseTheDirectoryWhenItsLastSnapshotCannotBeWritten() throws IOException {
        Path snapshots = new EngineDirectory(directory).snapshots();
        Path aside = temp.resolve("aside");
        ReplicaEngine engine = open(directory);
        executeTo(engine, 2);
        Files.move(snapshots, aside);
        Files.createFile(snapshots);

        assertThatThrownBy(engine::close).isInstanceOf(RuntimeException.class);

        Files.delete(snapshots);
        Files.move(aside, snapshots);
        try (ReplicaEngine again = open(directory)) {
            executeTo(again, BLOCKS);
        }
        assertThat(digests(directory)).isEqualTo(expected);
    }

    @Test
    void shouldRunAloneOnADirectory() {
        try (ReplicaEngine engine = open(directory)) {
            assertThat(engine.restored()).isEmpty();
            assertThatThrownBy(() -> open(directory))
                    .isInstanceOf(OperatingFailureException.class)
                    .hasMessageContaining("another engine runs on");
        }
    }

    private ReplicaEngine open(Path place) {
        return open(place, market(place));
    }

    private static AgreedMarket market(Path place) {
        return AgreedMarket.read(new EngineDirectory(place).genesis());
    }

    private ReplicaEngine open(Path place, AgreedMarket market) {
        return open(place, market, new SimpleMeterRegistry());
    }

    private ReplicaEngine open(Path place, AgreedMarket market, MeterRegistry registry) {
        try {
            EngineDirectory files = new EngineDirectory(place);
            return ReplicaEngine.open(new EngineContext(
                    files,
                    market,
                    EngineFile.read(files.properties(), SETTINGS),
                    Optional.empty(),
                    registry,
                    () -> BLOCKS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Hands over what a node would: the blocks after the state that the engine restored. */
    private void executeTo(ReplicaEngine engine, long last) {
        for (long sequence = restored(engine) + 1; sequence <= last; sequence++) {
            assertThat(engine.execute(Block.wrap(blocks.get((int) sequence - 1))))
                    .isEqualTo(expected.get((int) sequence - 1));
            engine.betweenBlocks();
        }
    }

    private static long restored(ReplicaEngine engine) {
        return engine.restored().map(InProcessEngine.Position::sequence).orElse(0L);
    }

    private static List<Digest> digests(Path place) {
        return new TestNode(place, Digest.ZERO)
                .results().stream().map(BlockResult::digest).toList();
    }

    /** Returns all reports of each broker. */
    private static Map<Integer, ByteBuffer> reports(Path place) {
        EngineDirectory files = new EngineDirectory(place);
        List<Integer> brokers = AgreedMarket.read(files.genesis()).brokerIds();
        Map<Integer, ByteBuffer> reports = new TreeMap<>();
        try (ReportStores stores =
                new ReportStores(files.reports(), brokers, REPORTS_PER_SEGMENT, Durability.PROCESS)) {
            for (ReportStore store : stores.all()) {
                ByteBuffer bytes = ByteBuffer.allocate((int) store.last() * ReportStore.RECORD_LENGTH);
                long next = 1;
                while (next <= store.last()) {
                    next += store.read(next, bytes);
                }
                reports.put(store.brokerId(), bytes.flip());
            }
        }
        assertThat(reports.values()).allMatch(ByteBuffer::hasRemaining);
        return reports;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> found = Files.walk(from)) {
            for (Path file : found.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
