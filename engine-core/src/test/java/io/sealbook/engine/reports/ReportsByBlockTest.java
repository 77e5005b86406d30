package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.protocol.report.ReportMaker;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.BlockReports;
import io.sealbook.protocol.v1.BlockReportsFrame;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.BrokerDigest;
import io.sealbook.vocabulary.result.RunTree;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class ReportsByBlockTest {
    private static final int BROKER = 2;
    private static final int RECORD_LENGTH = ReportStore.RECORD_LENGTH;
    private static final int BLOCKS = 12;
    /** No multiple of the length of a run, so that blocks go on in another file. */
    private static final int PER_SEGMENT = 300;

    @TempDir
    Path directory;

    private final TestFlow flow = new TestFlow(5);
    private TestNode node;

    @BeforeEach
    void commitBlocks() {
        node = new TestNode(directory, TestMarket.write(directory, 1).digest());
        node.commitFlow(flow, BLOCKS - 1, 40, 20);
        List<byte[]> batches = new ArrayList<>();
        for (int batch = 0; batch < 30; batch++) {
            List<Entry> entries = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                entries.add(Entry.limit(1_000_000 + 20 * batch + i, 200, 1, Side.BUY, 5, 1));
            }
            batches.add(flow.batch(BROKER, entries));
        }
        node.commit(batches.toArray(byte[][]::new));
    }

    /** With a database, too. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendReportsThatGiveTheDigests(boolean isJournalKept) throws Exception {
        try (TestEngine engine = engine(isJournalKept)) {
            ReportStore store = engine.reports.of(BROKER).orElseThrow();
            List<BrokerDigest> digests = digests(read(new ReportsByBlock(store, 1, true, 100)));
            List<BlockReports> reports = read(new ReportsByBlock(store, 1, false, 100));

            assertThat(digests).hasSize(BLOCKS);
            assertThat(digests).extracting(BrokerDigest::count).anyMatch(count -> count == 600);
            assertThat(computed(reports)).isEqualTo(digests);
            assertThat(reports.size()).as("a large block in parts").isGreaterThan(BLOCKS);
            assertThat(made(reports)).isEqualTo(everything(store));
        }
    }

    @Test
    void shouldSendTheSameInFramesOfAnyLength() throws Exception {
        try (TestEngine engine = engine(false)) {
            ReportStore store = engine.reports.of(BROKER).orElseThrow();
            for (boolean areDigestsEnough : new boolean[] {false, true}) {
                List<BlockReports> sent = read(new ReportsByBlock(store, 1, areDigestsEnough, 1));
                for (int frameReportsMax : new int[] {100, 256, 1_000_000}) {
                    assertThat(read(new ReportsByBlock(store, 1, areDigestsEnough, frameReportsMax)))
                            .isEqualTo(sent);
                }
            }
        }
    }

    /** An engine whom nobody asks for digests computes none; afterwards it has them at hand. */
    @Test
    void shouldRememberDigestsOnceTheyAreAskedFor() throws Exception {
        try (TestEngine engine = engine(false)) {
            ReportStore store = engine.reports.of(BROKER).orElseThrow();
            long before = store.last();
            assertThat(store.digestOf(before)).isEmpty();

            node.commitFlow(flow, 2, 40, 20);
            engine.await(BLOCKS + 2);

            assertThat(store.digestOf(before)).isEmpty();
            assertThat(store.digestOf(before + 1)).isPresent();
            List<BrokerDigest> sent = digests(read(new ReportsByBlock(store, 1, true, 100)));
            assertThat(sent.getLast()).isEqualTo(store.digestOf(store.last()).orElseThrow());
            assertThat(sent).isEqualTo(computed(read(new ReportsByBlock(store, 1, false, 100))));
        }
    }

    /** Of four engines, one of which sends reports: before, each sent them whole. */
    @Test
    void shouldSendAnEighthOfTheBytesOfWholeReports() throws Exception {
        try (TestEngine engine = engine(false)) {
            ReportStore store = engine.reports.of(BROKER).orElseThrow();
            long whole = bytes(new WholeReports(store, 1, 256));
            long runs = bytes(new ReportsByBlock(store, 1, false, 256));
            long digests = bytes(new ReportsByBlock(store, 1, true, 256));

            assertThat(runs + 3 * digests).isLessThan(4 * whole / 8);
        }
    }

    private static long bytes(ReportFeed<? extends MessageLite> feed) {
        long bytes = 0;
        while (feed.next() <= feed.last()) {
            bytes += feed.take().orElseThrow().getSerializedSize();
        }
        return bytes;
    }

    @Test
    void shouldSendDigestsOfBlocksBeforeAStart() throws Exception {
        List<BrokerDigest> digests;
        try (TestEngine engine = engine(false)) {
            digests = digests(read(new ReportsByBlock(engine.reports.of(BROKER).orElseThrow(), 1, true, 100)));
        }
        node.commitFlow(flow, 1, 40, 20);
        try (TestEngine engine = engine(false)) {
            engine.await(BLOCKS + 1);
            ReportStore store = engine.reports.of(BROKER).orElseThrow();
            List<BlockReports> sent = read(new ReportsByBlock(store, 1, true, 100));

            assertThat(sent).noneMatch(each -> each.getDigest().isEmpty());
            assertThat(digests(sent).subList(0, BLOCKS)).isEqualTo(digests);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeginWithTheBlockOfTheReportAskedFor(boolean areDigestsEnough) throws Exception {
        try (TestEngine engine = engine(false)) {
            ReportStore store = engine.reports.of(BROKER).orElseThrow();
            for (BrokerDigest block : digests(read(new ReportsByBlock(store, 1, true, 100)))) {
                for (long from : new long[] {block.firstSequence(), block.end() - 1}) {
                    BlockReports first = read(new ReportsByBlock(store, from, areDigestsEnough, 100))
                            .getFirst();

                    assertThat(first.getFirstSequence()).isEqualTo(block.firstSequence());
                }
            }
        }
    }

    /** Its first report is in a file that was removed, the others are not. */
    @Test
    void shouldRefuseABlockThatIsNotKeptWhole() throws Exception {
        try (TestEngine engine = engine(false)) {
            ReportStore store = engine.reports.of(BROKER).orElseThrow();
            store.pruneBefore(Long.MAX_VALUE, store.last());

            assertThat(store.first()).isGreaterThan(1);
            assertThat(new ReportsByBlock(store, store.first(), false, 100).take())
                    .isEmpty();
            assertThat(new ReportsByBlock(store, 1, false, 100).take()).isEmpty();
        }
    }

    private TestEngine engine(boolean isJournalKept) throws Exception {
        Map<String, String> settings = Map.of(
                "sealbook.engine.directory", directory.toString(),
                "sealbook.engine.snapshots.every-blocks", "5",
                "sealbook.engine.reports.per-segment", Integer.toString(PER_SEGMENT));
        return new TestEngine(directory, settings, isJournalKept).await(BLOCKS);
    }

    private static List<BlockReports> read(ReportsByBlock feed) {
        List<BlockReports> sent = new ArrayList<>();
        while (feed.next() <= feed.last()) {
            Optional<BlockReportsFrame> frame = feed.take();
            assertThat(frame).isPresent();
            sent.addAll(frame.get().getBlocksList());
        }
        return sent;
    }

    private static List<BrokerDigest> digests(List<BlockReports> sent) {
        return sent.stream()
                .map(each -> new BrokerDigest(
                        BROKER,
                        each.getFirstSequence(),
                        each.getCount(),
                        Digest.of(each.getDigest().toByteArray())))
                .toList();
    }

    private static List<BrokerDigest> computed(List<BlockReports> sent) {
        List<BrokerDigest> digests = new ArrayList<>();
        RunTree tree = new RunTree();
        long first = 0;
        for (BlockReports part : sent) {
            first = first == 0 ? part.getFirstSequence() : first;
            part.getRunsList().forEach(run -> tree.add(run.toByteArray()));
            if (part.getIsLast()) {
                int count = (int) (part.getFirstSequence() + part.getCount() - first);
                digests.add(new BrokerDigest(BROKER, first, count, tree.take()));
                first = 0;
            }
        }
        return digests;
    }

    private static byte[] made(List<BlockReports> sent) {
        ReportMaker maker = new ReportMaker();
        byte[] record = new byte[RECORD_LENGTH];
        ByteArrayOutputStream reports = new ByteArrayOutputStream();
        for (BlockReports part : sent) {
            byte[] run = part.getRuns(0).toByteArray();
            maker.begin(run, 0, run.length);
            while (maker.hasNext()) {
                maker.next();
                maker.get(record, 0);
                reports.writeBytes(record);
            }
        }
        return reports.toByteArray();
    }

    private static byte[] everything(ReportStore store) {
        ByteBuffer bytes = ByteBuffer.allocate((int) store.last() * RECORD_LENGTH);
        for (long next = 1; next <= store.last(); ) {
            next += store.read(next, bytes);
        }
        return bytes.array();
    }
}
