package io.sealbook.perf.offload;

import io.sealbook.archive.Block;
import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.OrderView;
import java.nio.ByteBuffer;

/**
 * An application that trades nothing: each order makes a counter loop run, and the counter is the state. One thread.
 *
 * <p>An order of quantity q asks for q - 1 passes. A pass needs the one before, so that no compiler shortens the loop.
 */
final class CounterEngine implements InProcessEngine {
    private static final long FACTOR = 6_364_136_223_846_793_005L;
    private static final long SUMMAND = 1_442_695_040_888_963_407L;

    private final BatchView batch = new BatchView();
    private final OrderView order = new OrderView();
    private long counter;
    private Digest digest = Digest.ZERO;

    @Override
    public Digest execute(Block block) {
        for (int i = 0; i < block.batchCount(); i++) {
            batch.wrap(block.array(), block.batchOffset(i), block.batchLength(i));
            for (int entry = 0; entry < batch.orderCount(); entry++) {
                run(order.wrap(batch, entry).quantityLots() - 1);
            }
        }
        digest = Digest.sha256(
                digest.bytes(),
                block.header().merkleRoot().bytes(),
                ByteBuffer.allocate(Long.BYTES).putLong(counter).array());
        return digest;
    }

    private void run(long passes) {
        for (long pass = 0; pass < passes; pass++) {
            counter = counter * FACTOR + SUMMAND;
        }
    }
}
