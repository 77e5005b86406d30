package io.sealbook.engine.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot of more orders than a portion has is written while further blocks are executed. */
class SnapshotInProgressTest {
    /** Fills books with several portions of orders; a snapshot is begun after as many blocks. */
    private static final int FILLING_BLOCKS = 10;

    /** The second snapshot is begun after ten of them, and whole a few blocks later, a portion per block. */
    private static final int TRADING_BLOCKS = 24;

    private static final int SECOND = 2 * FILLING_BLOCKS;

    private static final int BATCHES_PER_BLOCK = 50;
    private static final int ORDERS_PER_BATCH = 30;

    @TempDir
    Path directory;

    private final TestFlow flow = new TestFlow(1);
    private long clOrdId;

    @Test
    void shouldStartFromAStateThatLaterBlocksChangedWhileItWasWritten() throws Exception {
        TestNode node = new TestNode(
                directory, TestMarket.write(directory, TestMarket.genesis(1)).digest());
        for (int block = 0; block < FILLING_BLOCKS; block++) {
            node.commit(batches(Side.BUY));
        }
        for (int block = 0; block < TRADING_BLOCKS; block++) {
            node.commit(batches(block % 2 == 0 ? Side.SELL : Side.BUY));
        }
        long last = node.lastSequence();
        Digest digest;
        try (TestEngine engine = open()) {
            engine.await(last);
            assertThat(engine.monitor.failure()).isEmpty();
            assertThat(engine.monitor.lastSnapshot()).isEqualTo(SECOND);
            digest = engine.monitor.resultDigest();
        }
        deleteSnapshot(last);

        try (TestEngine engine = open()) {
            assertThat(engine.awaitRestored()).isEqualTo(SECOND);
            engine.await(last);
            assertThat(engine.monitor.failure()).isEmpty();
            assertThat(engine.monitor.resultDigest()).isEqualTo(digest);
        }
    }

    private TestEngine open() {
        return new TestEngine(
                directory, Map.of("sealbook.engine.snapshots.every-blocks", Integer.toString(FILLING_BLOCKS)));
    }

    private byte[][] batches(Side side) {
        byte[][] batches = new byte[BATCHES_PER_BLOCK][];
        for (int i = 0; i < BATCHES_PER_BLOCK; i++) {
            List<Entry> entries = new ArrayList<>();
            for (int j = 0; j < ORDERS_PER_BATCH; j++) {
                clOrdId++;
                entries.add(Entry.limit(clOrdId, 1, 1, side, 100 + clOrdId % 97, 10 - clOrdId % 3));
            }
            batches[i] = flow.batch(1, entries);
        }
        return batches;
    }

    private void deleteSnapshot(long block) throws Exception {
        try (Stream<Path> files = Files.walk(directory)) {
            Path newest = files.filter(file -> file.getFileName().toString().endsWith(block + ".snapshot"))
                    .findFirst()
                    .orElseThrow();
            Files.delete(newest);
        }
    }
}
