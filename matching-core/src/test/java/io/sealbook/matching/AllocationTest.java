package io.sealbook.matching;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The steady path makes no garbage: once the arrays have their size, a block costs not a byte of heap. */
class AllocationTest {
    private static final int BATCHES_A_BLOCK = 50;
    private static final int ENTRIES_A_BATCH = 30;
    private static final int WARM_BLOCKS = 300;
    private static final int BLOCKS = 200;

    private static final class CountingOutput implements MatchingOutput {
        long count;

        @Override
        public void onReport(ReportRecord report) {
            count++;
        }

        @Override
        public void onTrade(DirectBuffer buffer, int offset, int length) {
            count++;
        }
    }

    @Test
    void shouldNotAllocateOnTheSteadyPath() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        MatchingCore core = new MatchingCore(Markets.many(50, 100_000));
        UnsafeBuffer[] batches = flow(5);
        CountingOutput output = new CountingOutput();
        run(core, batches, 0, WARM_BLOCKS, output);
        long thread = Thread.currentThread().threadId();
        long empty = threads.getThreadAllocatedBytes(thread);
        long before = threads.getThreadAllocatedBytes(thread);
        long cost = before - empty;

        run(core, batches, WARM_BLOCKS, WARM_BLOCKS + BLOCKS, output);

        long allocated = threads.getThreadAllocatedBytes(thread) - before - cost;
        long entries = (long) BLOCKS * BATCHES_A_BLOCK * ENTRIES_A_BATCH;
        assertThat(core.tradeCount()).isGreaterThan(entries / 20);
        assertThat(core.refusedEntryCount()).isGreaterThan(0);
        // Room for what the compiler or a growing array leaves once; a byte an order would be 300,000.
        assertThat(allocated).as("bytes for " + entries + " entries").isLessThan(entries / 10);
    }

    private static void run(MatchingCore core, UnsafeBuffer[] batches, int from, int to, MatchingOutput output) {
        for (int block = from; block < to; block++) {
            core.beginBlock(block + 1, CoreDriver.GENESIS_TIME_NS + block, output);
            for (int i = 0; i < BATCHES_A_BLOCK; i++) {
                UnsafeBuffer batch = batches[block * BATCHES_A_BLOCK + i];
                core.onBatch(i, batch, 0, batch.capacity());
            }
            core.endBlock();
        }
    }

    /** A steady book: as many cancels and fills as new orders, some refusals, every kind. */
    private static UnsafeBuffer[] flow(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int blocks = WARM_BLOCKS + BLOCKS;
        UnsafeBuffer[] batches = new UnsafeBuffer[blocks * BATCHES_A_BLOCK];
        long id = 0;
        for (int b = 0; b < batches.length; b++) {
            List<Batch.Request> requests = new ArrayList<>();
            int broker = 1 + b % 4;
            for (int i = 0; i < ENTRIES_A_BATCH; i++) {
                id++;
                int instrument = 1 + random.nextInt(5);
                boolean isCancel = i >= ENTRIES_A_BATCH / 2;
                long price = 50_000 + random.nextInt(6);
                requests.add(
                        isCancel
                                ? Batch.cancel(id, id - ENTRIES_A_BATCH / 2, instrumentOf(requests, i))
                                : new Batch.Request(
                                        id,
                                        0,
                                        price,
                                        1 + random.nextInt(30),
                                        9,
                                        instrument,
                                        Action.NEW,
                                        random.nextBoolean() ? Side.BUY : Side.SELL,
                                        OrdType.LIMIT,
                                        random.nextInt(4) == 0 ? TimeInForce.IMMEDIATE_OR_CANCEL : TimeInForce.DAY));
            }
            long sequence = b / BATCHES_A_BLOCK + 1;
            batches[b] = new UnsafeBuffer(new Batch(broker, b, sequence + 3, requests).encode());
        }
        return batches;
    }

    private static int instrumentOf(List<Batch.Request> requests, int i) {
        return requests.get(i - ENTRIES_A_BATCH / 2).instrumentId();
    }
}
