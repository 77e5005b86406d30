package io.sealbook.perf.bench.client;

import io.sealbook.client.Order;
import io.sealbook.client.codec.BatchSealer;
import io.sealbook.client.codec.SealedBatch;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
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

/** One operation builds and signs one batch of ten orders: encode, hash, sign, its nonce included, on one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+UseSerialGC"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BatchSealBenchmark {
    private static final int ORDER_COUNT = 10;
    private static final long CHAIN_ID = 1;

    @Param({"SM2_SM3", "ECDSA_SECP256K1_SHA256"})
    private SignatureScheme scheme;

    private final List<Order> orders = ClientOrders.draw(ORDER_COUNT);
    private Signer signer;
    private BatchSealer sealer;
    private SealedBatch last;

    @Setup
    public void prepare() {
        signer = Signers.generate(scheme);
        sealer = new BatchSealer(CHAIN_ID, 1, 1, signer, ORDER_COUNT, BatchPosition.first(0));
    }

    @Benchmark
    public SealedBatch seal() {
        last = sealer.seal(orders, 1_000, 1);
        return last;
    }

    /** Checks the last batch for all: the path has no state but its buffers. */
    @TearDown
    public void check() throws Exception {
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, CHAIN_ID, last.batchId(), 0);
        SignatureBatch batch = new SignatureBatch(1);
        int signatureOffset = SignedBatch.batchLength(ORDER_COUNT);
        batch.add(signer.verificationKey(), region, 0, region.length, last.signedBytes(), signatureOffset);
        try (SignatureVerifier verifier = SignatureProviders.named("bc")) {
            if (verifier.verify(batch) != 1) {
                throw new IllegalStateException("signature of the last batch is not valid");
            }
        }
    }
}
