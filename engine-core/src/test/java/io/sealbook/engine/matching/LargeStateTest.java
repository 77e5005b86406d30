package io.sealbook.engine.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.EngineProcess;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.Genesis;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One broker rests as many orders as it can, far more than the engine's heap has room for. Its quota ends at what the
 * heap holds: the engine lives, writes and reads its state, and the others trade.
 */
@Timeout(600)
class LargeStateTest {
    /** 20 MB of orders and index, a snapshot of 16 MB; what else an engine holds takes some 15 MB. */
    private static final int QUOTA = 255_000;

    private static final int OTHERS_QUOTA = 1_000;
    /** As many would take 48 MB of orders and index. */
    private static final int ORDERS = 600_000;

    private static final String HEAP = "64m";
    private static final int ORDERS_A_BATCH = 30;
    private static final int BATCHES_A_BLOCK = 50;

    @TempDir
    Path directory;

    @Test
    void shouldLiveOnWhenABrokerRestsMoreOrdersThanTheHeapHolds() throws Exception {
        TestNode node =
                new TestNode(directory, TestMarket.write(directory, genesis()).digest());
        TestFlow flow = new TestFlow(1);
        long clOrdId = 0;
        while (clOrdId < ORDERS) {
            byte[][] batches = new byte[BATCHES_A_BLOCK + 1][];
            for (int i = 0; i < BATCHES_A_BLOCK; i++) {
                List<Entry> entries = new ArrayList<>();
                for (int j = 0; j < ORDERS_A_BATCH; j++) {
                    clOrdId++;
                    entries.add(Entry.limit(clOrdId, 1, 1, Side.BUY, 1 + clOrdId % 97, 10));
                }
                batches[i] = flow.batch(1, entries);
            }
            batches[BATCHES_A_BLOCK] = flow.batch(
                    2,
                    List.of(
                            Entry.limit(clOrdId, 20, 2, Side.SELL, 500, 10),
                            Entry.limit(clOrdId + 1, 20, 2, Side.BUY, 500, 10)));
            node.commit(batches);
        }
        long last = node.lastSequence();

        EngineProcess.Result first = EngineProcess.run(directory, HEAP, last);
        EngineProcess.Result second = EngineProcess.run(directory, HEAP, last);

        assertThat(first.failure()).isEmpty();
        assertThat(first.lastExecuted()).isEqualTo(last);
        assertThat(first.trades()).as("of the other broker, one in each block").isEqualTo(last);
        assertThat(first.rejects()).isEqualTo(ORDERS - QUOTA);
        assertThat(second.failure()).isEmpty();
        assertThat(second.restored()).as("block of the snapshot").isEqualTo(last);
        assertThat(second.digest()).isEqualTo(first.digest());
    }

    private static Genesis genesis() {
        Genesis.Builder genesis = TestMarket.genesis(1).toBuilder();
        genesis.getParametersBuilder().setLiveOrderCountMax(QUOTA + 3 * OTHERS_QUOTA);
        genesis.getBrokersBuilder(0).setLiveOrderCountMax(QUOTA);
        return genesis.build();
    }
}
