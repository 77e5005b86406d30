package io.sealbook.perf.bench.crypto;

import io.sealbook.crypto.SignatureScheme;
import java.math.BigInteger;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.Signer;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.signers.DSADigestSigner;
import org.bouncycastle.crypto.signers.ECDSASigner;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.crypto.signers.PlainDSAEncoding;
import org.bouncycastle.crypto.signers.SM2Signer;
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

/**
 * What Bouncy Castle's own signer classes do on the same curves, one key, one signature at a time: the baseline of
 * {@link SignBenchmark} and {@link VerifyBenchmark}. One operation signs or verifies one region of 48 bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx512m")
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class BouncyCastleSignerBenchmark {
    @Param({"SM2_SM3", "ECDSA_SECP256K1_SHA256"})
    private SignatureScheme scheme;

    private final byte[] message = new byte[48];
    private byte[] signature;
    private Signer signer;
    private Signer verifier;
    private CipherParameters privateKey;
    private CipherParameters publicKey;

    @Setup
    public void setUp() throws CryptoException {
        Random random = new Random(5);
        random.nextBytes(message);
        X9ECParameters curve =
                CustomNamedCurves.getByName(scheme == SignatureScheme.SM2_SM3 ? "sm2p256v1" : "secp256k1");
        ECDomainParameters domain = new ECDomainParameters(curve);
        BigInteger d = new BigInteger(250, random).add(BigInteger.ONE);
        privateKey = new ECPrivateKeyParameters(d, domain);
        publicKey = new ECPublicKeyParameters(domain.getG().multiply(d).normalize(), domain);
        signer = newSigner();
        verifier = newSigner();
        signature = sign();
        verify();
    }

    private Signer newSigner() {
        return scheme == SignatureScheme.SM2_SM3
                ? new SM2Signer(PlainDSAEncoding.INSTANCE)
                : new DSADigestSigner(
                        new ECDSASigner(new HMacDSAKCalculator(new SHA256Digest())),
                        new SHA256Digest(),
                        PlainDSAEncoding.INSTANCE);
    }

    @Benchmark
    public byte[] sign() throws CryptoException {
        signer.init(true, privateKey);
        signer.update(message, 0, message.length);
        byte[] result = signer.generateSignature();
        if (result.length != 64) {
            throw new IllegalStateException("signature has " + result.length + " bytes");
        }
        return result;
    }

    @Benchmark
    public boolean verify() {
        verifier.init(false, publicKey);
        verifier.update(message, 0, message.length);
        if (!verifier.verifySignature(signature)) {
            throw new IllegalStateException("a right signature was refused");
        }
        return true;
    }
}
