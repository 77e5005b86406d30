package io.sealbook.perf.bench.access;

import io.sealbook.access.rate.PortRates;
import io.sealbook.access.rate.Rates;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One operation is the check of one message of a broker's stream ({@code message}), of one call with the look-up of its
 * caller ({@code call}), and what reading the clock for it costs ({@code clock}).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class PortRatesBenchmark {
    private static final Caller BROKER = new Caller(Role.BROKER, 7);
    /** Between two messages: more tokens come back than one message takes. */
    private static final long STEP_NS = 10_000;

    private final PortRates quota = new PortRates(new Rates(1_000_000, 1_000_000_000), true);
    private final PortRates.Share share = quota.share(BROKER, InetAddress.getLoopbackAddress(), 0);
    private long nowNs;

    @Benchmark
    public boolean message() {
        nowNs += STEP_NS;
        return letThrough(share.takeBytes(1_700, nowNs).isEmpty());
    }

    @Benchmark
    public boolean call() {
        nowNs += STEP_NS;
        return letThrough(quota.take(BROKER, 100, nowNs).isEmpty());
    }

    @Benchmark
    public long clock() {
        return System.nanoTime();
    }

    private static boolean letThrough(boolean isLetThrough) {
        if (!isLetThrough) {
            throw new IllegalStateException("a caller within its rates was refused");
        }
        return true;
    }
}
