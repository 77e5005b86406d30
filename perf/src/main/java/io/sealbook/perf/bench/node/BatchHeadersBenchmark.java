package io.sealbook.perf.bench.node;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.node.block.BatchHeaders;
import io.sealbook.node.block.DecodedHeaders;
import io.sealbook.node.block.HeadersInPlace;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the pass of one follower of receipts over a block costs per batch, if headers are decoded in place and if
 * admission left them. A block has 500 batches of ten orders, of 16 brokers in turn. Each pass must find the batches of
 * the follower's broker.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class BatchHeadersBenchmark {
    private static final int BATCHES = 500;
    private static final int BROKERS = 16;
    private static final int ORDERS = 10;
    private static final int BROKER_ID_OFFSET = 72;

    @Param({"in-place", "decoded"})
    public String form;

    private BatchHeaders headers;

    @Setup
    public void prepare() {
        BlockBuilder builder = new BlockBuilder().begin(1, 0, 1, Digest.ZERO, Digest.ZERO);
        DecodedHeaders decoded = new DecodedHeaders(BATCHES);
        for (int i = 0; i < BATCHES; i++) {
            byte[] batch = new byte[SignedBatch.signedLength(ORDERS)];
            ByteBuffer.wrap(batch).order(ByteOrder.LITTLE_ENDIAN).putInt(BROKER_ID_OFFSET, i % BROKERS);
            builder.add(Digest.sha256(batch), 1, batch, 0, batch.length);
            decoded.set(i, new BatchView().wrap(batch));
        }
        Block block = builder.buildBlock();
        headers = form.equals("decoded") ? decoded : new HeadersInPlace(block);
    }

    @Benchmark
    @OperationsPerInvocation(BATCHES)
    public int pass() {
        int found = 0;
        for (int i = 0; i < headers.count(); i++) {
            if (headers.brokerId(i) == 0) {
                found++;
            }
        }
        if (found != (BATCHES + BROKERS - 1) / BROKERS) {
            throw new IllegalStateException("found " + found + " batches of broker 0");
        }
        return found;
    }
}
