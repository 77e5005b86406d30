package io.sealbook.perf.bench.crypto;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One operation verifies one signature of a region of 48 bytes, filling the batch included, under eight known keys. In every batch of
 * 64 one signature is wrong and must be found; a batch of one holds the wrong one every 64th time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx512m")
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class VerifyBenchmark {
    private static final int WRONG = 37;

    @Param({"SM2_SM3", "ECDSA_SECP256K1_SHA256"})
    private SignatureScheme scheme;

    @Param("bc")
    private String provider;

    private SignedMessages given;
    private SignatureVerifier verifier;
    private SignatureBatch single;
    private SignatureBatch batch;

    @Setup
    public void setUp() {
        given = new SignedMessages(scheme, 2);
        given.signatures[WRONG][40] ^= 1;
        verifier = SignatureProviders.named(provider);
        single = new SignatureBatch(1);
        batch = new SignatureBatch(SignedMessages.COUNT);
    }

    @TearDown
    public void tearDown() {
        verifier.close();
    }

    @Benchmark
    @OperationsPerInvocation(SignedMessages.COUNT)
    public int batchOf64() {
        batch.clear();
        for (int i = 0; i < SignedMessages.COUNT; i++) {
            add(batch, i);
        }
        int validCount = verifier.verify(batch);
        if (validCount != SignedMessages.COUNT - 1 || batch.isValid(WRONG)) {
            throw new IllegalStateException(validCount + " valid, wrong one accepted: " + batch.isValid(WRONG));
        }
        return validCount;
    }

    @Benchmark
    @OperationsPerInvocation(SignedMessages.COUNT)
    public int batchOf1() {
        int validCount = 0;
        for (int i = 0; i < SignedMessages.COUNT; i++) {
            single.clear();
            add(single, i);
            validCount += verifier.verify(single);
            if (single.isValid(0) != (i != WRONG)) {
                throw new IllegalStateException("wrong verdict on signature " + i);
            }
        }
        return validCount;
    }

    private void add(SignatureBatch target, int i) {
        byte[] message = given.messages[i];
        target.add(given.signers[i].verificationKey(), message, 0, message.length, given.signatures[i], 0);
    }
}
