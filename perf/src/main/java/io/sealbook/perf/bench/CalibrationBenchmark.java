package io.sealbook.perf.bench;

import io.sealbook.vocabulary.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
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
 * The yardstick of the regression run. One operation sorts 4,096 longs and hashes them with SHA-256: arithmetic,
 * branches, cache and the intrinsic, none of it ours, so that a ratio to it says more than a figure of one machine on
 * one day.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+UseSerialGC"})
public class CalibrationBenchmark {
    private static final int COUNT = 4096;

    private long[] numbers;
    private byte[] bytes;
    private MessageDigest digest;
    private byte[] expected;

    @Setup
    public void prepare() {
        numbers = new long[COUNT];
        bytes = new byte[COUNT];
        digest = Sha256.newDigest();
        expected = sortAndHash();
    }

    @Benchmark
    public byte[] sortAndHash() {
        long value = 88_172_645_463_325_252L;
        for (int i = 0; i < COUNT; i++) {
            value ^= value << 13;
            value ^= value >>> 7;
            value ^= value << 17;
            numbers[i] = value;
        }
        Arrays.sort(numbers);
        for (int i = 0; i < COUNT; i++) {
            bytes[i] = (byte) numbers[i];
        }
        byte[] hash = digest.digest(bytes);
        if (expected != null && !Arrays.equals(hash, expected)) {
            throw new IllegalStateException("hash is " + HexFormat.of().formatHex(hash));
        }
        return hash;
    }
}
