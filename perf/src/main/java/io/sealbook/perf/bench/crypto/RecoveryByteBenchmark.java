package io.sealbook.perf.bench.crypto;

import io.sealbook.crypto.Secp256k1Recovery;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One operation makes one secp256k1 signature with its recovery byte: computed from the nonce point, as the signer
 * does, or searched for by trying bytes until the signer's key comes out, as common client libraries do.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx512m")
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class RecoveryByteBenchmark {
    private static final int V_OFFSET = 64;

    private final byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
    private SignedMessages given;
    private int next;

    @Setup
    public void setUp() {
        given = new SignedMessages(SignatureScheme.ECDSA_SECP256K1_SHA256, 3);
    }

    @Benchmark
    public int computed() {
        int i = next++ & (SignedMessages.COUNT - 1);
        sign(i);
        return checked(i, signature[V_OFFSET]);
    }

    /** The signer has computed the byte already; that costs nothing beside the search for it. */
    @Benchmark
    public int searched() {
        int i = next++ & (SignedMessages.COUNT - 1);
        sign(i);
        for (int v = 0; v < 4; v++) {
            signature[V_OFFSET] = (byte) v;
            if (Secp256k1Recovery.recover(given.messages[i], signature)
                    .equals(Optional.of(given.signers[i].verificationKey()))) {
                return checked(i, v);
            }
        }
        throw new IllegalStateException("no byte recovers the key of signature " + i);
    }

    private void sign(int i) {
        Signer signer = given.signers[i];
        signer.sign(given.messages[i], 0, given.messages[i].length, signature, 0);
    }

    private int checked(int i, int v) {
        if (v != given.signatures[i][V_OFFSET]) {
            throw new IllegalStateException(
                    "recovery byte of signature " + i + " is " + v + ", expected " + given.signatures[i][V_OFFSET]);
        }
        return v;
    }
}
