package io.sealbook.perf.bench.client;

import io.sealbook.client.codec.BatchSealer;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signers;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import io.sealbook.vocabulary.BatchPosition;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
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
import org.openjdk.jmh.annotations.Warmup;

/** One operation reads every field of one signed batch with the flyweights that nodes and engines use. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-Xms256m",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            // Agrona's buffers.
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"
        })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BatchDecodeBenchmark {
    @Param({"1", "10", "30"})
    private int orderCount;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final OrderBatchDecoder batch = new OrderBatchDecoder();
    private UnsafeBuffer buffer;
    private long expected;

    @Setup
    public void prepare() {
        byte[] signed = new BatchSealer(
                        1, 1, 1, Signers.generate(SignatureScheme.SM2_SM3), orderCount, BatchPosition.first(0))
                .seal(ClientOrders.draw(orderCount), 1_000, 1)
                .signedBytes();
        buffer = new UnsafeBuffer(signed);
        expected = sum();
    }

    @Benchmark
    public long decode() {
        long sum = sum();
        if (sum != expected) {
            throw new IllegalStateException("fields sum to " + sum + ", expected " + expected);
        }
        return sum;
    }

    private long sum() {
        batch.wrapAndApplyHeader(buffer, 0, header);
        long sum = batch.chainId() + batch.number() + batch.validUntilBlock() + batch.sentTimeNs() + batch.brokerId();
        sum += batch.keyId() + batch.scheme().value();
        for (OrderBatchDecoder.OrdersDecoder order : batch.orders()) {
            sum = sum * 31 + order.clOrdId() + order.origClOrdId() + order.price() + order.quantity();
            sum += order.accountId() + order.instrumentId();
            sum += order.action().value() + order.side().value();
            sum += order.ordType().value() + order.timeInForce().value() + order.flags();
        }
        return sum;
    }
}
