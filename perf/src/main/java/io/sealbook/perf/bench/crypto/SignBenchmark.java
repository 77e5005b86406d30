package io.sealbook.perf.bench.crypto;

import io.sealbook.crypto.SignatureScheme;
import java.util.Arrays;
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
 * One operation signs one region of 48 bytes, nonce derivation and recovery byte included; alone, or as one of 64 under
 * one key that are signed in one call. Every signature must be the Java signers'. Compare providers with {@code -p
 * provider=bc,jni}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx512m")
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class SignBenchmark {
    @Param({"SM2_SM3", "ECDSA_SECP256K1_SHA256"})
    private SignatureScheme scheme;

    @Param({"bc", "best"})
    private String provider;

    private final byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
    private final byte[] messages = new byte[SignedMessages.COUNT * SignedMessages.MESSAGE_LENGTH];
    private final byte[] signatures = new byte[SignedMessages.COUNT * SignatureScheme.SIGNATURE_LENGTH];
    private SignedMessages given;
    private int next;

    @Setup
    public void setUp() {
        given = new SignedMessages(scheme, provider, 1, SignedMessages.COUNT);
        for (int i = 0; i < SignedMessages.COUNT; i++) {
            System.arraycopy(
                    given.messages[i], 0, messages, i * SignedMessages.MESSAGE_LENGTH, SignedMessages.MESSAGE_LENGTH);
        }
    }

    @Benchmark
    public byte[] sign() {
        int i = next++ & (SignedMessages.COUNT - 1);
        given.signers[i].sign(given.messages[i], 0, given.messages[i].length, signature, 0);
        if (!Arrays.equals(signature, given.signatures[i])) {
            throw new IllegalStateException("signature " + i + " differs from the Java signer's");
        }
        return signature;
    }

    @Benchmark
    @OperationsPerInvocation(SignedMessages.COUNT)
    public byte[] signAllOf64() {
        given.signers[0].signAll(messages, SignedMessages.MESSAGE_LENGTH, SignedMessages.COUNT, signatures);
        // The first signer made every eighth of the given signatures.
        for (int i = 0; i < SignedMessages.COUNT; i += SignedMessages.SIGNER_COUNT) {
            int offset = i * SignatureScheme.SIGNATURE_LENGTH;
            if (!Arrays.equals(
                    signatures,
                    offset,
                    offset + SignatureScheme.SIGNATURE_LENGTH,
                    given.signatures[i],
                    0,
                    SignatureScheme.SIGNATURE_LENGTH)) {
                throw new IllegalStateException("signature " + i + " differs from the Java signer's");
            }
        }
        return signatures;
    }
}
