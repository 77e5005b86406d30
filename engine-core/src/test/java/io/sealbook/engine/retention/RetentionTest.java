package io.sealbook.engine.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.Block;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files come and go while an engine runs, over days of ten blocks; what a restart or a broker needs is there. */
@Timeout(300)
class RetentionTest {
    private static final int BLOCKS_A_DAY = 10;
    /** Chronicle's clock in the tests: days after the epoch. */
    private static final int FIRST_DAY = 20_000;

    @TempDir
    Path temp;

    private Path directory;
    private TestNode node;
    private final TestFlow flow = new TestFlow(5);

    @BeforeEach
    void writeDirectory() {
        directory = temp.resolve("node0");
        GenesisFile genesis = TestMarket.write(directory, 1);
        node = new TestNode(directory, genesis.digest());
    }

    @Test
    void shouldKeepWhatTheOlderSnapshotNeedsAndDeleteTheRest() throws Exception {
        try (TestEngine engine = start("snapshots.every-blocks", "15", "queue.keep-blocks", "0")) {
            days(engine, 6);
        }

        // Snapshots of blocks 45 and 60; day 5 begins with block 41.
        assertThat(firstBlock()).isEqualTo(41);
        assertThat(queueFiles()).hasSize(2);
        deleteNewest("snapshots", ".snapshot");
        try (TestEngine engine = start()) {
            engine.await(60);
            node.commitFlow(flow, 5, 2, 5);
            engine.await(65);
            assertThat(engine.monitor.phase()).isEqualTo(EnginePhase.TAILING);
        }
    }

    @Test
    void shouldKeepSoManyBlocksOfTheQueueAtLeast() throws Exception {
        try (TestEngine engine = start("snapshots.every-blocks", "10", "queue.keep-blocks", "35")) {
            days(engine, 6);
        }

        // 60 - 35 = 25 lies in day 3, which begins with block 21.
        assertThat(firstBlock()).isEqualTo(21);
    }

    @Test
    void shouldDeleteNothingBeforeThereAreTwoSnapshots() throws Exception {
        try (TestEngine engine = start("snapshots.every-blocks", "55", "queue.keep-blocks", "0")) {
            days(engine, 6);
        }

        assertThat(firstBlock()).isEqualTo(1);
    }

    @Test
    void shouldKeepReportsOfSoManyBlocksAndServeThemAfterARestart() throws Exception {
        ByteBuffer expected;
        try (TestEngine engine =
                start("snapshots.every-blocks", "10", "reports.per-segment", "16", "reports.keep-blocks", "20")) {
            days(engine, 10);
            expected = everything(engine.reports.of(1).orElseThrow());
        }

        try (TestEngine engine = start("reports.per-segment", "16")) {
            engine.await(10 * BLOCKS_A_DAY);
            ReportStore store = engine.reports.of(1).orElseThrow();
            assertThat(store.first()).isGreaterThan(1);
            assertThat(blockOf(store, firstOfSecondFile(store)))
                    .as("the first file is needed")
                    .isGreaterThan(80);
            assertThat(blockOf(store, store.first())).as("only whole files go").isLessThanOrEqualTo(84);
            assertThat(everything(store)).isEqualTo(endOf(expected, store));
        }
    }

    @Test
    void shouldStartFromTheOlderSnapshotAfterReportsWereDeleted() throws Exception {
        Map<Integer, ByteBuffer> expected = new HashMap<>();
        try (TestEngine engine =
                start("snapshots.every-blocks", "10", "reports.per-segment", "4", "reports.keep-blocks", "0")) {
            days(engine, 6);
            engine.reports.all().forEach(store -> expected.put(store.brokerId(), everything(store)));
        }
        deleteNewest("snapshots", ".snapshot");

        try (TestEngine engine = start("reports.per-segment", "4")) {
            engine.await(6 * BLOCKS_A_DAY);
            assertThat(engine.monitor.phase()).isEqualTo(EnginePhase.TAILING);
            engine.reports
                    .all()
                    .forEach(store ->
                            assertThat(everything(store)).isEqualTo(endOf(expected.get(store.brokerId()), store)));
        }
    }

    @Test
    void shouldKeepTheJournalOfTheOlderSnapshot() throws Exception {
        try (TestEngine engine = start("snapshots.every-blocks", "10", "journal.segment-bytes", "1")) {
            days(engine, 6);
        }

        // One file a block: 50 is the older snapshot's.
        try (TestEngine engine = start("journal.segment-bytes", "1")) {
            assertThat(engine.journal.firstBlock()).isEqualTo(50);
        }
    }

    /** It may lose what it has had since then, when its process is killed. */
    @Test
    void shouldKeepTheJournalAfterWhatTheDatabaseHadASnapshotAgo() throws Exception {
        try (TestEngine engine =
                start("snapshots.every-blocks", "10", "journal.segment-bytes", "1", "database.enabled", "true")) {
            engine.monitor.onPersisted(5);
            days(engine, 1);
            engine.monitor.onPersisted(10);
            days(engine, 1);
            engine.monitor.onPersisted(20);
            node.commitFlow(flow, 5, 2, 5);
            engine.await(25);
        }

        try (TestEngine engine = start("journal.segment-bytes", "1")) {
            assertThat(engine.journal.firstBlock()).isEqualTo(6);
        }
    }

    @Test
    void shouldStartFromASnapshotWithoutAJournal() throws Exception {
        Digest expected;
        try (TestEngine engine = withoutJournal()) {
            days(engine, 3);
            expected = engine.monitor.resultDigest();
        }

        try (TestEngine engine = withoutJournal()) {
            engine.await(3 * BLOCKS_A_DAY);
            assertThat(engine.monitor.resultDigest()).isEqualTo(expected);
            node.commitFlow(flow, 1, 2, 5);
            engine.await(3 * BLOCKS_A_DAY + 1);
            assertThat(engine.monitor.phase()).isEqualTo(EnginePhase.TAILING);
        }
        assertThat(directory.resolve("engine/journal")).doesNotExist();
        assertThat(firstBlock())
                .as("old blocks were deleted, so it did not begin at the first")
                .isEqualTo(11);
    }

    /**
     * A later database finds nothing of what was executed without it, and must not be given what follows as if it were
     * all.
     */
    @Test
    void shouldExecuteEverythingAgainForAJournalThatIsKeptLater() throws Exception {
        try (TestEngine engine = new TestEngine(directory, settings("snapshots.every-blocks", "10"), false)) {
            days(engine, 2);
        }

        try (TestEngine engine = start()) {
            engine.await(2 * BLOCKS_A_DAY);
            assertThat(engine.journal.firstBlock()).isEqualTo(1);
            assertThat(engine.journal.lastBlock()).isEqualTo(2 * BLOCKS_A_DAY);
        }
    }

    private TestEngine withoutJournal() {
        return new TestEngine(directory, settings("snapshots.every-blocks", "10", "queue.keep-blocks", "0"), false);
    }

    /** Commits so many days, waiting each day for the engine and for the deletion that follows a snapshot. */
    private void days(TestEngine engine, int days) throws Exception {
        for (int day = 0; day < days; day++) {
            node.setDay(FIRST_DAY + day);
            for (int block = 0; block < BLOCKS_A_DAY; block++) {
                node.commitFlow(flow, 1, 2, 5);
            }
            engine.await(node.lastSequence());
        }
        long settled = node.lastSequence();
        Facts.await("blocks executed", () -> engine.monitor.lastExecuted() >= settled);
    }

    private TestEngine start(String... settings) {
        return new TestEngine(directory, settings(settings));
    }

    private Map<String, String> settings(String... settings) {
        Map<String, String> all = new HashMap<>();
        all.put("sealbook.engine.directory", directory.toString());
        all.put("sealbook.engine.database.enabled", "false");
        for (int i = 0; i < settings.length; i += 2) {
            all.put("sealbook.engine." + settings[i], settings[i + 1]);
        }
        return all;
    }

    /** Reads all that is there, anew when the running engine has deleted of it meanwhile. */
    private static ByteBuffer everything(ReportStore store) {
        while (true) {
            long first = store.first();
            ByteBuffer bytes = ByteBuffer.allocate((int) (store.last() - first + 1) * ReportStore.RECORD_LENGTH);
            int read = 1;
            for (long next = first; read > 0 && next <= store.last(); next += read) {
                read = store.read(next, bytes);
            }
            if (read > 0) {
                return bytes.flip();
            }
        }
    }

    /** What was read before the last deletion may begin earlier. */
    private static ByteBuffer endOf(ByteBuffer read, ReportStore store) {
        int length = (int) (store.last() - store.first() + 1) * ReportStore.RECORD_LENGTH;
        return read.slice(read.limit() - length, length);
    }

    private long firstOfSecondFile(ReportStore store) throws IOException {
        Path folder = new EngineDirectory(directory).reports().resolve("broker-" + store.brokerId());
        try (Stream<Path> files = Files.list(folder)) {
            String second = files.map(file -> file.getFileName().toString())
                    .sorted()
                    .toList()
                    .get(1);
            return Long.parseLong(second.replace(".reports", ""));
        }
    }

    private static long blockOf(ReportStore store, long report) {
        ByteBuffer record = ByteBuffer.allocate(ReportStore.RECORD_LENGTH);
        store.read(report, record);
        return new ExecutionReportDecoder()
                .wrapAndApplyHeader(new UnsafeBuffer(record), 0, new MessageHeaderDecoder())
                .blockSequence();
    }

    private long firstBlock() {
        return Block.wrap(node.blocks().get(0)).header().sequence();
    }

    private List<Path> queueFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("queue/blocks"))) {
            return files.filter(file -> file.toString().endsWith("F.cq4")).toList();
        }
    }

    private void deleteNewest(String folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("engine").resolve(folder))) {
            Files.delete(files.filter(file -> file.toString().endsWith(suffix))
                    .max(Path::compareTo)
                    .orElseThrow());
        }
    }
}
