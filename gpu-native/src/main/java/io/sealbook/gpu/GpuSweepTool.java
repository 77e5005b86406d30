package io.sealbook.gpu;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerifierSettings;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Measures the device of this machine and prints tables: correctness over many signatures first, then the field's multiplication, kernels
 * without and with their copies over sizes, blocks, lanes and windows, and verifiers from Java beside the CPU's. A wrong verdict anywhere
 * ends it with exit code 1.
 *
 * <p>{@code perf/gpu/measure.sh} packs it with a Java runtime for a machine that has none. Options: {@link SweepOptions}.
 */
public final class GpuSweepTool {
    private static final long SEED = 20_190_630;

    private final PrintStream out;
    private final SweepOptions options;
    private final KernelImage image;
    private final SweepVectors vectors;

    GpuSweepTool(PrintStream out, SweepOptions options, KernelImage image) {
        this.out = out;
        this.options = options;
        this.image = image;
        long began = System.nanoTime();
        vectors = new SweepVectors(options.signatures(), options.keys(), SEED);
        print(
                "%d signatures under %d keys made in %.1f s%n",
                options.signatures(), options.keys(), secondsSince(began));
    }

    /** Runs everything; see the class. */
    public static void main(String[] arguments) throws Exception {
        CudaProbe probe = CudaProbe.of(new JCudaDriverCalls());
        if (probe.devices().isEmpty()) {
            System.out.println("nothing to measure: " + probe.absence());
            System.exit(2);
        }
        System.out.println("device: " + probe.devices().get(0) + ", Java " + System.getProperty("java.version") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors");
        new GpuSweepTool(System.out, SweepOptions.of(arguments), KernelImage.ofResource())
                .run(probe.devices().get(0));
        System.exit(0);
    }

    void run(CudaDevice device) throws Exception {
        // The first gives every key its table at once, the second none ever.
        compareAllVerdicts(device, 1);
        compareAllVerdicts(device, Integer.MAX_VALUE);
        for (String window : options.windows()) {
            sweepKernels(window);
        }
        sweepVerifiers(device);
    }

    /** Every vector through the whole path. */
    private void compareAllVerdicts(CudaDevice device, int usesBeforeTable) {
        long began = System.nanoTime();
        int wrongCount = 0;
        int size = Math.min(SignatureBatch.CAPACITY_MAX / 4, vectors.count());
        try (GpuVerifier verifier = open(device, size, usesBeforeTable)) {
            print(
                    "first device batch after %.2f s (driver's compilation, generator's table, self-test)%n",
                    secondsSince(began));
            for (int first = 0; first < vectors.count(); first += size) {
                SignatureBatch batch = vectors.batch(first, size);
                verifier.verify(batch);
                wrongCount += vectors.wrongCount(batch, first);
            }
            print(
                    "%d mixed signatures compared: %d wrong; counters %s%n%n",
                    vectors.count(), wrongCount, verifier.counters());
            if (wrongCount > 0 || verifier.breakerReason().isPresent()) {
                throw new IllegalStateException(wrongCount + " wrong verdicts, breaker " + verifier.breakerReason());
            }
        }
    }

    private GpuVerifier open(CudaDevice device, int laneRows, int usesBeforeTable) {
        GpuSettings config = options.config(options.windows().get(0), laneRows, 3, usesBeforeTable);
        GpuCounters counters = new GpuCounters();
        SignatureVerifier cpu = SignatureProviders.chooseBeside(GpuProvider.NAME, VerifierSettings.best())
                .verifier();
        RowEngine engine = new CudaEngine(device, image, config, counters);
        DeviceSelfTest.failure(engine, cpu, Math.min(usesBeforeTable, 40)).ifPresent(failure -> {
            throw new IllegalStateException("self-test failed: " + failure);
        });
        return new GpuVerifier(engine, cpu, config, counters);
    }

    private void sweepKernels(String window) {
        try (KernelSweep sweep = new KernelSweep(vectors, options, window, image)) {
            print("### tables of %s bits (generator:keys)%n%n", window);
            print("field multiplications: %.1f G/s%n%n", sweep.multiplicationsPerSecond() / 1e9);
            print("| kernel | size | block | without copies, M/s |%s%n", laneHeads());
            print("|---|---|---|---|%s%n", "---|".repeat(options.lanes().length));
            for (boolean isKnown : new boolean[] {true, false}) {
                for (int size : options.sizes()) {
                    for (int block : options.blocks()) {
                        StringBuilder line = new StringBuilder(String.format(
                                Locale.ROOT,
                                "| %s | %d | %d | %.3f |",
                                isKnown ? "known keys" : "any keys",
                                size,
                                block,
                                sweep.withoutCopies(isKnown, size, block) / 1e6));
                        for (int lanes : options.lanes()) {
                            line.append(String.format(
                                    Locale.ROOT, " %.3f |", sweep.withCopies(isKnown, size, block, lanes) / 1e6));
                        }
                        out.println(line);
                    }
                }
            }
            out.println();
        }
    }

    private String laneHeads() {
        StringBuilder heads = new StringBuilder();
        for (int lanes : options.lanes()) {
            heads.append(" copies, ").append(lanes).append(lanes == 1 ? " lane |" : " lanes |");
        }
        return heads.toString();
    }

    private void sweepVerifiers(CudaDevice device) throws Exception {
        print("### from Java, messages given, everything counted; signatures a second%n%n");
        print("| verifier | threads | batch | verifications/s |%n|---|---|---|---|%n");
        for (String provider : new String[] {"bc", "jni", GpuProvider.NAME}) {
            try (SignatureVerifier verifier =
                    provider.equals(GpuProvider.NAME) ? open(device, 16_384, 1) : SignatureProviders.named(provider)) {
                for (int threads : options.threads()) {
                    for (int batch : options.batches()) {
                        double rate = rate(verifier, threads, batch);
                        print("| %s | %d | %d | %,.0f |%n", provider, threads, batch, rate);
                    }
                }
            } catch (IllegalArgumentException e) {
                print("| %s | | | %s |%n", provider, e.getMessage());
            }
        }
        print(
                "%nThe source paper's tables 10 and 11, whole system, 4 replicas, NVIDIA M40: CPU 9,749 and GPU 46,421 transactions/s at one%n"
                        + "order a transaction (57 and 21 ms); CPU 8,654 and GPU 36,855 at ten. These are rates of a platform, not of a verifier.%n");
    }

    /** Verifies prepared batches from so many threads until the time is over. */
    private double rate(SignatureVerifier verifier, int threads, int batchSize) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        AtomicLong verifiedCount = new AtomicLong();
        AtomicInteger wrongCount = new AtomicInteger();
        try {
            int size = Math.min(batchSize, vectors.count());
            SignatureBatch[] batches = IntStream.range(0, threads)
                    .mapToObj(thread -> vectors.batch(thread * size, size))
                    .toArray(SignatureBatch[]::new);
            for (SignatureBatch batch : batches) {
                verifier.verify(batch);
            }
            long began = System.nanoTime();
            long deadline = began + TimeUnit.MILLISECONDS.toNanos(options.millis());
            Future<?>[] running = new Future<?>[threads];
            for (int thread = 0; thread < threads; thread++) {
                int own = thread;
                running[thread] = callers.submit(() -> {
                    do {
                        verifier.verify(batches[own]);
                        verifiedCount.addAndGet(size);
                    } while (System.nanoTime() < deadline);
                    wrongCount.addAndGet(vectors.wrongCount(batches[own], own * size));
                });
            }
            for (Future<?> caller : running) {
                caller.get();
            }
            double seconds = secondsSince(began);
            if (wrongCount.get() > 0) {
                throw new IllegalStateException(wrongCount + " wrong verdicts from " + verifier.provider());
            }
            return verifiedCount.get() / seconds;
        } finally {
            callers.shutdown();
        }
    }

    private static double secondsSince(long began) {
        return (System.nanoTime() - began) / 1e9;
    }

    private void print(String format, Object... values) {
        out.printf(Locale.ROOT, format, values);
    }
}
