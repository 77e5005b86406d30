package io.sealbook.engine.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.facts.Facts;
import io.sealbook.facts.ForcedFiles;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandOffException;
import io.sealbook.handoff.HandOffQueues;
import io.sealbook.handoff.HandOffWriter;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An engine of 60 blocks with snapshots of blocks 45 and 60, whose oldest or newest results are gone. */
@Timeout(300)
class LostSnapshotsTest {
    private static final int BLOCKS = 60;
    private static final int FIRST_KEPT = 41;

    @TempDir
    Path temp;

    private EngineDirectory files;
    private Path directory;
    private TestNode node;
    private final TestFlow flow = new TestFlow(5);
    private List<BlockResult> results;
    private Map<Integer, Long> lastReports;

    @BeforeEach
    void executeBlocks() throws Exception {
        directory = temp.resolve("node0");
        GenesisFile genesis = TestMarket.write(directory, 1);
        files = new EngineDirectory(directory);
        node = TestNode.withArchive(directory, genesis.digest());
        try (TestEngine engine = start()) {
            commit(engine, 45);
            commit(engine, BLOCKS - 45);
            lastReports = lastReports(engine);
        }
        results = node.results();
        assertThat(names(files.snapshots())).hasSize(2);
    }

    @Test
    void shouldStartFromTheFirstBlockWithoutItsResult() throws Exception {
        writeResults(results.subList(FIRST_KEPT - 1, BLOCKS));
        deleteAll(files.snapshots());

        try (TestEngine engine = start()) {
            assertThat(engine.awaitRestored()).isZero();
            engine.await(BLOCKS);
            assertThat(engine.monitor.failure()).isEmpty();
            assertThat(lastReports(engine)).isEqualTo(lastReports);
            node.commitFlow(flow, 1, 2, 5);
            engine.await(BLOCKS + 1);
        }
        assertThat(sequences(node.results())).first().isEqualTo((long) FIRST_KEPT);
        assertThat(sequences(node.results())).last().isEqualTo(BLOCKS + 1L);
    }

    @Test
    void shouldCompareWithTheResultsThatAreKept() throws Exception {
        List<BlockResult> kept = new ArrayList<>(results.subList(FIRST_KEPT - 1, BLOCKS));
        BlockResult first = kept.getFirst();
        kept.set(
                0,
                new BlockResult(
                        first.sequence(), Digest.ZERO, first.executedTimeNs(), first.orderCount(), first.tradeCount()));
        writeResults(kept);
        deleteAll(files.snapshots());

        try (TestEngine engine = start()) {
            assertThat(engine.awaitFailure())
                    .isInstanceOf(BrokenInvariantException.class)
                    .hasMessageContaining("results: block 41 was published with digest");
        }
    }

    /** A loss of power can take the newest results. */
    @Test
    void shouldGoOnIfTheResultsEndBeforeBothSnapshots() throws Exception {
        writeResults(results.subList(20, 40));

        try (TestEngine engine = start()) {
            assertThat(engine.awaitRestored()).isZero();
            engine.await(BLOCKS);
            assertThat(engine.monitor.failure()).isEmpty();
            assertThat(lastReports(engine)).isEqualTo(lastReports);
        }
        assertThat(node.results().stream().map(BlockResult::digest))
                .containsExactlyElementsOf(results.subList(20, BLOCKS).stream()
                        .map(BlockResult::digest)
                        .toList());
    }

    @Test
    void shouldDeleteNothingIfItCannotStart() throws Exception {
        writeResults(results.subList(FIRST_KEPT - 1, 50));
        try (ChronicleQueue queue = HandOffQueues.openForWriting(files.results())) {
            Bytes<byte[]> damaged = Bytes.wrapForRead("no result".getBytes(StandardCharsets.UTF_8));
            queue.createAppender().writeBytes(damaged);
        }
        try (HandOffWriter<BlockResult> writer = HandOffWriter.ofResults(files.results())) {
            results.subList(51, BLOCKS).forEach(writer::append);
        }
        deleteAll(files.snapshots());
        Map<Path, Long> reports = sizes(files.reports());

        try (TestEngine engine = start()) {
            assertThat(engine.awaitFailure()).isInstanceOf(HandOffException.class);
        }

        assertThat(sizes(files.reports())).isEqualTo(reports);
    }

    /** A loss of power can leave a file its length and take what was in it. */
    @Test
    void shouldNameTheQueueIfItsFileHasLostItsContent() throws Exception {
        for (String name : names(files.results())) {
            if (name.endsWith(".cq4")) {
                Path file = files.results().resolve(name);
                long length = Files.size(file);
                Files.write(file, new byte[0]);
                try (FileChannel bytes = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    bytes.write(ByteBuffer.allocate(1), length - 1);
                }
            }
        }

        try (TestEngine engine = start()) {
            assertThat(engine.awaitFailure())
                    .isInstanceOf(HandOffException.class)
                    .hasMessageContaining("queue/results: the files cannot be read");
        }
    }

    @Test
    void shouldForceResultsBeforeTheSnapshotThatTheyMustReach() throws Exception {
        List<Path> forced = ForcedFiles.below(directory, () -> {
            try (TestEngine engine = start("durability", "disk")) {
                commit(engine, 15);
            }
        });

        int snapshot = forced.indexOf(files.snapshots().resolve("00000000000000000075.snapshot.unfinished"));
        assertThat(snapshot).isNotNegative();
        assertThat(forced.subList(0, snapshot))
                .anyMatch(path ->
                        path.startsWith(files.results()) && path.toString().endsWith(".cq4"));
        assertThat(forced.subList(0, snapshot)).contains(files.results());
    }

    /** Commits blocks, and waits until all are executed. */
    private void commit(TestEngine engine, int blocks) throws Exception {
        node.commitFlow(flow, blocks, 2, 5);
        engine.await(node.lastSequence());
        Facts.await("blocks executed", () -> engine.monitor.lastExecuted() >= node.lastSequence());
    }

    private TestEngine start(String... settings) {
        Map<String, String> all = new HashMap<>();
        all.put("sealbook.engine.directory", directory.toString());
        all.put("sealbook.engine.database.enabled", "false");
        all.put("sealbook.engine.snapshots.every-blocks", "15");
        all.put("sealbook.engine.reports.per-segment", "16");
        for (int i = 0; i < settings.length; i += 2) {
            all.put("sealbook.engine." + settings[i], settings[i + 1]);
        }
        return new TestEngine(directory, all, false);
    }

    private void writeResults(List<BlockResult> kept) throws IOException {
        deleteAll(files.results());
        try (HandOffWriter<BlockResult> writer = HandOffWriter.ofResults(files.results())) {
            kept.forEach(writer::append);
        }
    }

    private static List<Long> sequences(List<BlockResult> results) {
        return results.stream().map(BlockResult::sequence).toList();
    }

    private static Map<Integer, Long> lastReports(TestEngine engine) {
        Map<Integer, Long> last = new TreeMap<>();
        engine.reports.all().forEach(store -> last.put(store.brokerId(), store.last()));
        return last;
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> found = Files.list(directory)) {
            return found.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static Map<Path, Long> sizes(Path directory) throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        try (Stream<Path> found = Files.walk(directory)) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                sizes.put(file, Files.size(file));
            }
        }
        return sizes;
    }

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> found = Files.list(directory)) {
            for (Path file : found.toList()) {
                Files.delete(file);
            }
        }
    }
}
