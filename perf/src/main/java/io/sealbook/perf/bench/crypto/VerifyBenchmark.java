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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One operation verifies one signature of a region of 48 bytes, hashing and filling the batch included, under eight
 * known keys. There are 4,096 signatures, which come in turn: the entries of the tables that a signature needs are not
 * those of the last time. Of 64 signatures one is wrong and must be found, whatever the batches are.
 *
 * <p>{@code best} is the fastest provider of the machine; {@code -p provider=jni} with {@code -p code=portable},
 * {@code adx} or {@code ifma} measures one kind of native code.
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

    @Param({"bc", "best"})
    private String provider;

    @Param("auto")
    private String code;

    private SignedMessages given;
    /** The first signature of the next operation. */
    private int next;

    private SignatureVerifier verifier;
    private final SignatureBatch batch = new SignatureBatch(SignedMessages.COUNT);

    @Setup
    public void setUp() {
        given = new SignedMessages(scheme, "bc", 2, SignedMessages.DISTINCT_COUNT);
        for (int wrong = WRONG; wrong < given.signatures.length; wrong += SignedMessages.COUNT) {
            given.signatures[wrong][40] ^= 1;
        }
        verifier = SignatureProviders.choose(new VerifierSettings(provider, Map.of("jni.code", code)))
                .verifier();
    }

    @TearDown
    public void tearDown() {
        verifier.close();
    }

    @Benchmark
    @OperationsPerInvocation(SignedMessages.COUNT)
    public int batchOf64() {
        return verifyAll(64);
    }

    @Benchmark
    @OperationsPerInvocation(SignedMessages.COUNT)
    public int batchOf8() {
        return verifyAll(8);
    }

    @Benchmark
    @OperationsPerInvocation(SignedMessages.COUNT)
    public int batchOf1() {
        return verifyAll(1);
    }

    private int verifyAll(int batchSize) {
        int validCount = 0;
        int end = next + SignedMessages.COUNT;
        int wrong = next + WRONG;
        for (int first = next; first < end; first += batchSize) {
            batch.clear();
            for (int i = first; i < first + batchSize; i++) {
                byte[] message = given.messages[i];
                batch.add(given.signers[i].verificationKey(), message, 0, message.length, given.signatures[i], 0);
            }
            validCount += verifier.verify(batch);
            if (wrong >= first && wrong < first + batchSize && batch.isValid(wrong - first)) {
                throw new IllegalStateException("the wrong signature was accepted");
            }
        }
        next = end % given.signatures.length;
        if (validCount != SignedMessages.COUNT - 1) {
            throw new IllegalStateException(validCount + " signatures were accepted");
        }
        return validCount;
    }
}
