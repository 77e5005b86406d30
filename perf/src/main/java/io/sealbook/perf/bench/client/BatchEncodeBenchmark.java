package io.sealbook.perf.bench.client;

import io.sealbook.client.Order;
import io.sealbook.client.codec.OrderBatchEncoder;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SignedBatch;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One operation writes one batch, without hash and signature, into the encoder's own buffer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+UseSerialGC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BatchEncodeBenchmark {
    private static final BatchPosition POSITION = BatchPosition.first(0);

    @Param({"1", "10", "30"})
    private int orderCount;

    private List<Order> orders;
    private OrderBatchEncoder encoder;
    private byte[] expected;

    @Setup
    public void prepare() {
        orders = ClientOrders.draw(orderCount);
        encoder = new OrderBatchEncoder(orderCount);
        expected = Arrays.copyOf(encode(), SignedBatch.batchLength(orderCount));
    }

    @Benchmark
    public byte[] encode() {
        encoder.begin(1, 1, 1, SignatureScheme.SM2_SM3, POSITION, 1_000, 1);
        for (int i = 0; i < orderCount; i++) {
            encoder.add(orders.get(i));
        }
        int length = encoder.finish();
        if (length != SignedBatch.batchLength(orderCount)) {
            throw new IllegalStateException("batch has " + length + " bytes");
        }
        return encoder.array();
    }

    @TearDown
    public void check() {
        if (!Arrays.equals(expected, 0, expected.length, encoder.array(), 0, expected.length)) {
            throw new IllegalStateException("batch differs from the first one of the same orders");
        }
    }
}
