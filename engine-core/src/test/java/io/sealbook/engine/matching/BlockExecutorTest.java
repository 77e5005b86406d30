package io.sealbook.engine.matching;

import static org.assertj.core.api.Assertions.assertThat;

import com.lmax.disruptor.EventHandler;
import com.sun.management.ThreadMXBean;
import io.sealbook.archive.Block;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.intake.CommittedBlock;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.DepthView;
import io.sealbook.engine.monitor.Totals;
import io.sealbook.engine.output.BlockEnd;
import io.sealbook.engine.output.OutputFrame;
import io.sealbook.engine.output.OutputRing;
import io.sealbook.engine.snapshot.BookChange;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.chain.ChainExecution;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.vocabulary.Digest;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockExecutorTest {
    /** Beyond the numbers for which the JVM caches an Integer. */
    private static final int FIRST_INSTRUMENT = 1_000;

    private static final int INSTRUMENTS = 300;
    private static final int ENTRIES_A_BLOCK = 600;
    private static final int ENTRIES_A_BATCH = 30;
    private static final int WARM_BLOCKS = 100;
    private static final int BLOCKS = 100;

    private final Genesis genesis = genesis();
    private final List<Integer> instrumentIds = IntStream.range(FIRST_INSTRUMENT, FIRST_INSTRUMENT + INSTRUMENTS)
            .boxed()
            .toList();
    private final DepthBoard board = new DepthBoard(instrumentIds);
    private final DepthCapture depth = new DepthCapture(board, 20, genesis.getInstrumentsList());
    private final ChainExecution chain = ChainExecution.of(GenesisFile.withDefaults(genesis));
    private final MatchingCore core = chain.core();
    private final TestFlow flow = new TestFlow(1);
    private long clOrdId;

    @Test
    void shouldNotAllocateForAnOrder() {
        List<CommittedBlock> blocks = new ArrayList<>();
        for (int block = 1; block <= WARM_BLOCKS + BLOCKS; block++) {
            blocks.add(block(block));
        }
        try (OutputRing ring = ring()) {
            BlockExecutor executor = new BlockExecutor(chain, Totals.none(), ring, depth);
            run(executor, ring, blocks.subList(0, WARM_BLOCKS));
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();

            run(executor, ring, blocks.subList(WARM_BLOCKS, WARM_BLOCKS + BLOCKS));

            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(core.reportCount()).isEqualTo((long) (WARM_BLOCKS + BLOCKS) * ENTRIES_A_BLOCK);
            // The figures of a block are a few objects; five bytes for each of its orders would be more.
            assertThat(allocated)
                    .as("bytes for %d blocks of %d orders", BLOCKS, ENTRIES_A_BLOCK)
                    .isLessThan(5L * BLOCKS * ENTRIES_A_BLOCK);
        }
    }

    @Test
    void shouldPublishTheBooksThatChangedAndNoOthers() {
        List<Integer> announced = new ArrayList<>();
        try (OutputRing ring = ring()) {
            BlockExecutor executor = new BlockExecutor(chain, Totals.none(), ring, depth);
            depth.publishAll();
            depth.publish(core);
            List<DepthView> before = views();

            byte[] batch = flow.batch(
                    1,
                    List.of(
                            Entry.limit(1, 1, FIRST_INSTRUMENT + 7, Side.BUY, 10, 5),
                            Entry.limit(2, 1, FIRST_INSTRUMENT + 299, Side.SELL, 20, 6),
                            Entry.limit(3, 1, FIRST_INSTRUMENT + 7, Side.BUY, 10, 1),
                            Entry.limit(4, 1, 1, Side.BUY, 10, 1)));
            run(executor, ring, List.of(committed(1, batch)));
            depth.publish(core);
            List<DepthView> after = views();
            depth.publish(core);

            for (int i = 0; i < INSTRUMENTS; i++) {
                if (after.get(i) != before.get(i)) {
                    announced.add(FIRST_INSTRUMENT + i);
                }
            }
            assertThat(announced).containsExactly(FIRST_INSTRUMENT + 7, FIRST_INSTRUMENT + 299);
            assertThat(after.get(7).bids().quantities()).containsExactly(6);
            assertThat(after.get(299).asks().prices()).containsExactly(20);
            assertThat(views()).as("nothing has changed since").isEqualTo(after);
        }
    }

    /** Engines that publish at other moments name the same block. */
    @Test
    void shouldNameTheBlockThatChangedABookLast() {
        try (OutputRing ring = ring()) {
            BlockExecutor executor = new BlockExecutor(chain, Totals.none(), ring, depth);
            CommittedBlock first =
                    committed(1, flow.batch(1, List.of(Entry.limit(1, 1, FIRST_INSTRUMENT, Side.BUY, 10, 5))));
            CommittedBlock second =
                    committed(2, flow.batch(1, List.of(Entry.limit(2, 1, FIRST_INSTRUMENT + 1, Side.BUY, 10, 5))));
            // Refused: there is no such order.
            CommittedBlock third =
                    committed(3, flow.batch(1, List.of(Entry.cancel(3, 77, 1, FIRST_INSTRUMENT, Side.BUY))));
            run(executor, ring, List.of(first, second, third));

            depth.publishAll();
            depth.publish(core);
        }

        assertThat(views().subList(0, 3).stream().map(DepthView::blockSequence)).containsExactly(1L, 2L, 0L);
        assertThat(views().get(0).timeNs()).isLessThan(views().get(1).timeNs());
        assertThat(views().get(2).timeNs()).isZero();
    }

    /** Snapshots of earlier builds have another one. */
    @Test
    void shouldRestoreABookThatNoBlockHasChangedWithoutATime() {
        depth.restore(List.of(new BookChange(FIRST_INSTRUMENT, 0, Long.MIN_VALUE)), 3, 7);
        depth.publishAll();
        depth.publish(core);

        assertThat(views().get(0).timeNs()).isZero();
    }

    @Test
    void shouldKnowWhetherTheDepthThatWasPublishedLastIsRead() {
        depth.publishAll();
        depth.publish(core);
        assertThat(board.isRead()).isFalse();

        views();
        assertThat(board.isRead()).isTrue();
        depth.publish(core);
        assertThat(board.isRead()).as("nothing was published").isTrue();

        depth.publishAll();
        depth.publish(core);
        assertThat(board.isRead()).isFalse();
    }

    private List<DepthView> views() {
        return instrumentIds.stream().map(id -> board.of(id).orElseThrow()).toList();
    }

    private static void run(BlockExecutor executor, OutputRing ring, List<CommittedBlock> blocks) {
        for (int i = 0; i < blocks.size(); i++) {
            ring.endBlock(new BlockEnd(executor.execute(blocks.get(i)), List.of()));
        }
    }

    /** Half of the entries rest, the others cancel them; every book is met. */
    private CommittedBlock block(int sequence) {
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < ENTRIES_A_BLOCK / ENTRIES_A_BATCH; i++) {
            List<Entry> entries = new ArrayList<>();
            for (int j = 0; j < ENTRIES_A_BATCH / 2; j++) {
                long id = ++clOrdId;
                int instrument = FIRST_INSTRUMENT + (int) (id % INSTRUMENTS);
                entries.add(j, Entry.limit(id, 1, instrument, Side.BUY, 100 + id % 50, 5));
                entries.add(Entry.cancel(id | 1L << 40, id, 1, instrument, Side.BUY));
            }
            batches.add(flow.batch(1 + i % TestMarket.BROKERS, entries));
        }
        return committed(sequence, batches.toArray(byte[][]::new));
    }

    private static CommittedBlock committed(long sequence, byte[]... batches) {
        Block block = Block.wrap(TestNode.build(sequence, Digest.ZERO, batches));
        return new CommittedBlock(block, block.hash(), 0);
    }

    private static OutputRing ring() {
        EventHandler<OutputFrame> forgetting = (frame, sequence, isEndOfBatch) -> {};
        return new OutputRing(4, 1 << 16, false, List.of(forgetting), failure -> {});
    }

    private static Genesis genesis() {
        Genesis.Builder genesis = TestMarket.genesis(1).toBuilder();
        Instrument template = genesis.getInstruments(0);
        genesis.clearInstruments();
        for (int i = 0; i < INSTRUMENTS; i++) {
            genesis.addInstruments(template.toBuilder().setInstrumentId(FIRST_INSTRUMENT + i));
        }
        byte[] json = GenesisFile.toJson(genesis.build()).getBytes(StandardCharsets.UTF_8);
        return GenesisFile.parse(json).genesis();
    }
}
