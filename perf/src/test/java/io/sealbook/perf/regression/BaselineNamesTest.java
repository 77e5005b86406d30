package io.sealbook.perf.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The committed baseline and the benchmarks of this build. */
class BaselineNamesTest {
    private static final String ALL = ".*";

    /**
     * Benchmarks that nobody has measured for the baseline yet. A line goes when its ratio comes, on a quiet machine,
     * by {@code regression --update --include}; none is added: a new benchmark comes with its ratio.
     */
    private static final List<String> AWAITING = """
            ArbitraryKeyVerifyBenchmark.batchOf64
            BatchHeadersBenchmark.pass form=decoded
            BatchHeadersBenchmark.pass form=in-place
            CraftedSignatureBenchmark.crafted scheme=ECDSA_SECP256K1_SHA256
            CraftedSignatureBenchmark.crafted scheme=SM2_SM3
            CraftedSignatureBenchmark.spoilt scheme=ECDSA_SECP256K1_SHA256
            CraftedSignatureBenchmark.spoilt scheme=SM2_SM3
            MatchingCoreBenchmark.execute flow=sample
            OrderBookBenchmark.execute flow=sample
            PeerOrderBookBenchmark.execute flow=sample
            PortRatesBenchmark.call
            PortRatesBenchmark.clock
            PortRatesBenchmark.message
            RecordBenchmark.cipherOnDirectBuffers length=200
            RecordBenchmark.cipherOnDirectBuffers length=2000
            RecordBenchmark.cipherOnDirectBuffers length=20000
            RecordBenchmark.handlers length=200
            RecordBenchmark.handlers length=2000
            RecordBenchmark.handlers length=20000
            VerifyBenchmark.batchOf1 code=auto provider=bc scheme=ECDSA_SECP256K1_SHA256
            VerifyBenchmark.batchOf1 code=auto provider=bc scheme=SM2_SM3
            VerifyBenchmark.batchOf1 code=auto provider=best scheme=ECDSA_SECP256K1_SHA256
            VerifyBenchmark.batchOf1 code=auto provider=best scheme=SM2_SM3
            VerifyBenchmark.batchOf64 code=auto provider=bc scheme=ECDSA_SECP256K1_SHA256
            VerifyBenchmark.batchOf64 code=auto provider=bc scheme=SM2_SM3
            VerifyBenchmark.batchOf64 code=auto provider=best scheme=ECDSA_SECP256K1_SHA256
            VerifyBenchmark.batchOf64 code=auto provider=best scheme=SM2_SM3
            VerifyBenchmark.batchOf8 code=auto provider=bc scheme=ECDSA_SECP256K1_SHA256
            VerifyBenchmark.batchOf8 code=auto provider=bc scheme=SM2_SM3
            VerifyBenchmark.batchOf8 code=auto provider=best scheme=ECDSA_SECP256K1_SHA256
            VerifyBenchmark.batchOf8 code=auto provider=best scheme=SM2_SM3
            """.lines().toList();

    private final Set<String> built = new BenchmarkNames(ALL).all();
    private final Set<String> baseline;

    BaselineNamesTest() throws IOException {
        baseline = Baseline.read(Home.find().resolve("perf/baseline/regression.json"))
                .ratios()
                .keySet();
    }

    @Test
    void shouldHaveRatiosOfBenchmarksOfThisBuildOnly() {
        assertThat(built).hasSizeGreaterThan(50).containsAll(baseline);
    }

    @Test
    void shouldHaveARatioOfEachBenchmarkThatAwaitsNone() {
        Set<String> without = new TreeSet<>(built);
        without.removeAll(baseline);

        assertThat(without).containsExactlyElementsOf(AWAITING);
    }
}
