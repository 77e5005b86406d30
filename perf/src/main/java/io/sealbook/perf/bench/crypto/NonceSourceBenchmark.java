package io.sealbook.perf.bench.crypto;

import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What clients of other platforms pay for a batch nonce: one operation draws 64 bits, unlikely to repeat and not
 * secret; with two threads, as two submitting threads of one client would. Our SDK draws none but counts up; signature
 * nonces are derived from key and message.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx512m")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class NonceSourceBenchmark {
    /** A nonce equal to the one before it has a chance of 2^-64. */
    @State(Scope.Thread)
    public static class Previous {
        private long nonce;

        long checked(long fresh) {
            if (fresh == nonce) {
                throw new IllegalStateException("the same nonce twice: " + fresh);
            }
            nonce = fresh;
            return fresh;
        }
    }

    /** One source for all threads. */
    @State(Scope.Benchmark)
    public static class Shared {
        private final SecureRandom random = new SecureRandom();
    }

    /**
     * Draws from the shared SecureRandom, one thread.
     *
     * @param previous the thread's last nonce
     * @param shared the source of all threads
     */
    @Benchmark
    public long secureRandom(Previous previous, Shared shared) {
        return previous.checked(shared.random.nextLong());
    }

    /**
     * Draws from the shared SecureRandom, two threads.
     *
     * @param previous the thread's last nonce
     * @param shared the source of all threads
     */
    @Benchmark
    @Threads(2)
    public long secureRandomTwoThreads(Previous previous, Shared shared) {
        return previous.checked(shared.random.nextLong());
    }

    @Benchmark
    public long threadLocalRandom(Previous previous) {
        return previous.checked(ThreadLocalRandom.current().nextLong());
    }

    @Benchmark
    @Threads(2)
    public long threadLocalRandomTwoThreads(Previous previous) {
        return previous.checked(ThreadLocalRandom.current().nextLong());
    }
}
