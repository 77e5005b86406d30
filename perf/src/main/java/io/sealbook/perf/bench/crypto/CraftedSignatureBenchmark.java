package io.sealbook.perf.bench.crypto;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import java.math.BigInteger;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.crypto.ExtendedDigest;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SM3Digest;
import org.bouncycastle.util.BigIntegers;
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
 * One operation verifies one signature, in batches of 64 under eight known keys, by the fastest provider of the
 * machine. {@code spoilt} has a random s and is refused at the usual cost. {@code crafted} has r = e + small too, which
 * anybody can send: in SM2 the x to compare with is then so small that two field elements reduce to it. The ratio of
 * both rates is what a sender gains by crafting; it should be near 1.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx512m")
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class CraftedSignatureBenchmark {
    private static final int SCALAR_LENGTH = 32;
    private static final BigInteger SM2_ORDER =
            new BigInteger("fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123", 16);
    private static final BigInteger SECP256K1_ORDER =
            new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);

    @Param({"SM2_SM3", "ECDSA_SECP256K1_SHA256"})
    private SignatureScheme scheme;

    private final SignatureBatch batch = new SignatureBatch(SignedMessages.COUNT);
    private final byte[][] spoilt = new byte[SignedMessages.COUNT][];
    private final byte[][] crafted = new byte[SignedMessages.COUNT][];
    private SignedMessages given;
    private SignatureVerifier verifier;

    @Setup
    public void setUp() {
        given = new SignedMessages(scheme, 4);
        verifier = SignatureProviders.best();
        Random random = new Random(5);
        BigInteger order = scheme == SignatureScheme.SM2_SM3 ? SM2_ORDER : SECP256K1_ORDER;
        for (int i = 0; i < SignedMessages.COUNT; i++) {
            spoilt[i] = given.signatures[i].clone();
            // Below half of the order, because secp256k1 has no other valid s.
            BigInteger s = new BigInteger(order.bitLength() - 2, random).add(BigInteger.ONE);
            BigIntegers.asUnsignedByteArray(s, spoilt[i], SCALAR_LENGTH, SCALAR_LENGTH);
            crafted[i] = spoilt[i].clone();
            BigInteger r = digest(i).add(BigInteger.valueOf(i + 1L)).mod(order);
            BigIntegers.asUnsignedByteArray(r, crafted[i], 0, SCALAR_LENGTH);
        }
    }

    /** Returns e, the number that the signature of a message signs. */
    private BigInteger digest(int index) {
        VerificationKey key = given.signers[index].verificationKey();
        ExtendedDigest digest;
        if (scheme == SignatureScheme.SM2_SM3) {
            digest = new SM3Digest();
            byte[] z = key.z();
            digest.update(z, 0, z.length);
        } else {
            digest = new SHA256Digest();
        }
        digest.update(given.messages[index], 0, given.messages[index].length);
        byte[] e = new byte[digest.getDigestSize()];
        digest.doFinal(e, 0);
        return new BigInteger(1, e);
    }

    @TearDown
    public void tearDown() {
        verifier.close();
    }

    @Benchmark
    @OperationsPerInvocation(SignedMessages.COUNT)
    public int spoilt() {
        return refuseAll(spoilt);
    }

    @Benchmark
    @OperationsPerInvocation(SignedMessages.COUNT)
    public int crafted() {
        return refuseAll(crafted);
    }

    private int refuseAll(byte[][] signatures) {
        batch.clear();
        for (int i = 0; i < SignedMessages.COUNT; i++) {
            batch.add(given.signers[i].verificationKey(), given.messages[i], signatures[i]);
        }
        int validCount = verifier.verify(batch);
        if (validCount != 0) {
            throw new IllegalStateException(validCount + " signatures were accepted");
        }
        return batch.size();
    }
}
