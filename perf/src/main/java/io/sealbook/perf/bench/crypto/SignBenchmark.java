package io.sealbook.perf.bench.crypto;

import io.sealbook.crypto.SignatureScheme;
import java.util.Arrays;
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
import org.openjdk.jmh.annotations.Warmup;

/** One operation signs one region of 48 bytes, nonce derivation and recovery byte included. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx512m")
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class SignBenchmark {
    @Param({"SM2_SM3", "ECDSA_SECP256K1_SHA256"})
    private SignatureScheme scheme;

    private final byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
    private SignedMessages given;
    private int next;

    @Setup
    public void setUp() {
        given = new SignedMessages(scheme, 1);
    }

    @Benchmark
    public byte[] sign() {
        int i = next++ & (SignedMessages.COUNT - 1);
        given.signers[i].sign(given.messages[i], 0, given.messages[i].length, signature, 0);
        if (!Arrays.equals(signature, given.signatures[i])) {
            throw new IllegalStateException("signature " + i + " differs from the first one of the same message");
        }
        return signature;
    }
}
