package io.sealbook.perf.bench.crypto;

import io.sealbook.vocabulary.Sha256;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
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
 * One operation makes the vector of 16-byte HMAC-SHA-256 codes, one for each of four receivers, of a frame of 128
 * bytes: over the frame itself, or over its digest.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx512m")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class HmacVectorBenchmark {
    private static final int RECEIVER_COUNT = 4;
    private static final int CODE_LENGTH = 16;
    private static final int DIGEST_LENGTH = 32;

    private final Mac[] macs = new Mac[RECEIVER_COUNT];
    private final byte[] frame = new byte[128];
    private final byte[] code = new byte[DIGEST_LENGTH];
    private final byte[] digest = new byte[DIGEST_LENGTH];
    private final byte[] vector = new byte[RECEIVER_COUNT * CODE_LENGTH];
    private MessageDigest sha256;
    private byte[] expectedOverFrame;
    private byte[] expectedOverDigest;

    @Setup
    public void setUp() throws GeneralSecurityException {
        Random random = new Random(4);
        random.nextBytes(frame);
        sha256 = Sha256.newDigest();
        expectedOverFrame = new byte[vector.length];
        expectedOverDigest = new byte[vector.length];
        for (int i = 0; i < RECEIVER_COUNT; i++) {
            byte[] key = new byte[DIGEST_LENGTH];
            random.nextBytes(key);
            macs[i] = Mac.getInstance("HmacSHA256");
            macs[i].init(new SecretKeySpec(key, "HmacSHA256"));
            // RFC 2104 spelled out, so that the expectation does not come from the code that is measured.
            System.arraycopy(hmac(key, frame), 0, expectedOverFrame, i * CODE_LENGTH, CODE_LENGTH);
            System.arraycopy(hmac(key, sha256.digest(frame)), 0, expectedOverDigest, i * CODE_LENGTH, CODE_LENGTH);
        }
    }

    @Benchmark
    public byte[] overFrame() throws GeneralSecurityException {
        codes(frame);
        return checked(expectedOverFrame);
    }

    @Benchmark
    public byte[] overDigest() throws GeneralSecurityException {
        sha256.update(frame, 0, frame.length);
        sha256.digest(digest, 0, DIGEST_LENGTH);
        codes(digest);
        return checked(expectedOverDigest);
    }

    private void codes(byte[] bytes) throws GeneralSecurityException {
        for (int i = 0; i < RECEIVER_COUNT; i++) {
            macs[i].update(bytes, 0, bytes.length);
            macs[i].doFinal(code, 0);
            System.arraycopy(code, 0, vector, i * CODE_LENGTH, CODE_LENGTH);
        }
    }

    private byte[] checked(byte[] expected) {
        if (!Arrays.equals(vector, expected)) {
            throw new IllegalStateException("codes differ from RFC 2104");
        }
        return vector;
    }

    private byte[] hmac(byte[] key, byte[] bytes) {
        byte[] inner = padded(key, 0x36);
        byte[] outer = padded(key, 0x5C);
        sha256.update(inner);
        byte[] innerDigest = sha256.digest(bytes);
        sha256.update(outer);
        return sha256.digest(innerDigest);
    }

    private static byte[] padded(byte[] key, int pad) {
        byte[] block = Arrays.copyOf(key, 64);
        for (int i = 0; i < block.length; i++) {
            block[i] ^= (byte) pad;
        }
        return block;
    }
}
