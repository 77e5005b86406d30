package io.sealbook.perf.bench.crypto;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerifierSettings;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One operation verifies one SM2 signature of a region of 48 bytes under a key without a table, in batches of 64, by
 * the fastest provider of the machine. {@link BouncyCastleSignerBenchmark#verify} is the yardstick. Native code is kept
 * from making tables; where there is none, the reference provider makes its own, and this measures the same as
 * {@link VerifyBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx512m")
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class ArbitraryKeyVerifyBenchmark {
    private final SignatureBatch batch = new SignatureBatch(SignedMessages.COUNT);
    private SignedMessages given;
    /** The first signature of the next operation. */
    private int next;

    private SignatureVerifier verifier;

    @Setup
    public void setUp() {
        given = new SignedMessages(SignatureScheme.SM2_SM3, "bc", 3, SignedMessages.DISTINCT_COUNT);
        verifier = SignatureProviders.choose(new VerifierSettings("best", Map.of("jni.tables-mib", "0")))
                .verifier();
    }

    @TearDown
    public void tearDown() {
        verifier.close();
    }

    @Benchmark
    @OperationsPerInvocation(SignedMessages.COUNT)
    public int batchOf64() {
        batch.clear();
        for (int i = next; i < next + SignedMessages.COUNT; i++) {
            byte[] message = given.messages[i];
            batch.add(given.signers[i].verificationKey(), message, 0, message.length, given.signatures[i], 0);
        }
        next = (next + SignedMessages.COUNT) % given.signatures.length;
        int validCount = verifier.verify(batch);
        if (validCount != SignedMessages.COUNT) {
            throw new IllegalStateException(validCount + " signatures were accepted");
        }
        return validCount;
    }
}
