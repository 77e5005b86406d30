package io.sealbook.perf.gpu;

import io.sealbook.crypto.Opening;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.gpu.GpuProvider;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Measures the CUDA device of this machine: correctness over many signatures first, then verifiers from Java beside the
 * CPU's, the field's multiplication, and kernels without and with their copies over sizes, blocks, lanes and windows. A
 * wrong verdict or a failure ends its part.
 *
 * <p>{@code perf/gpu/measure.sh} packs it with a Java runtime for a machine that has none.
 */
@Command(
        name = "gpu",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Compares and measures SM2 verification on the CUDA device of this machine, beside the CPU's verifiers.",
            "Prints Markdown tables."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:measured, all verdicts right",
            "1:a wrong verdict, or the device failed: the output names the part",
            "2:usage",
            "3:no CUDA device"
        })
public final class GpuCommand implements Callable<Integer> {
    private static final int NO_DEVICE = 3;
    private static final long SEED = 20_190_630;
    private static final double NS_PER_SECOND = 1e9;
    /** Signatures per launch if the settings do not matter: the provider's default. */
    private static final int LANE_ROWS = 16_384;

    @Mixin
    private GpuOptions options;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws InterruptedException {
        Optional<String> absence = absence();
        if (absence.isPresent()) {
            out.println("Nothing to measure: " + absence.get());
            return NO_DEVICE;
        }
        long beganNs = System.nanoTime();
        SignedVectors vectors = new SignedVectors(options.signatures, options.keys, SEED);
        print("%d signatures under %d keys made in %.1f s%n", options.signatures, options.keys, secondsSince(beganNs));
        boolean hasFailed = false;
        for (GpuOptions.Part part : options.parts) {
            try {
                run(part, vectors);
            } catch (RuntimeException | ExecutionException e) {
                print("%nFAILED %s: %s%n%n", part.name().toLowerCase(Locale.ROOT), e);
                hasFailed = true;
            }
        }
        return hasFailed ? 1 : 0;
    }

    private void run(GpuOptions.Part part, SignedVectors vectors) throws InterruptedException, ExecutionException {
        switch (part) {
            case VERDICTS -> {
                // The first gives every key its table at once, the second none before the last signature.
                compareAllVerdicts(vectors, 1);
                compareAllVerdicts(
                        vectors, Math.min(options.signatures / options.keys + 1, SignatureBatch.CAPACITY_MAX));
            }
            case VERIFIERS -> printVerifiers(vectors);
            case KERNELS -> {
                KernelTable kernels = new KernelTable(out, options, vectors);
                for (String window : options.windows) {
                    kernels.print(window);
                }
            }
        }
    }

    /** Asks for the device before anything else takes time. */
    private Optional<String> absence() {
        Opening<SignatureVerifier> opening = opening(LANE_ROWS, 1);
        if (opening instanceof Opening.Absent<SignatureVerifier> absent) {
            return Optional.of(absent.reason());
        }
        try (SignatureVerifier verifier = opened(opening)) {
            print(
                    "%s: %s, Java %s, %d processors%n",
                    verifier.provider(),
                    ((Opening.Opened<SignatureVerifier>) opening).description(),
                    Runtime.version(),
                    Runtime.getRuntime().availableProcessors());
        }
        return Optional.empty();
    }

    private Opening<SignatureVerifier> opening(int laneRows, int usesBeforeTable) {
        return new GpuProvider().open(options.settings(options.windows.get(0), laneRows, usesBeforeTable));
    }

    private static SignatureVerifier opened(Opening<SignatureVerifier> opening) {
        if (opening instanceof Opening.Opened<SignatureVerifier> opened) {
            return opened.value();
        }
        throw new IllegalStateException(
                opening instanceof Opening.Failed<SignatureVerifier> failed ? failed.reason() : "the device is gone");
    }

    /** Takes every vector through the provider, as a node does. */
    private void compareAllVerdicts(SignedVectors vectors, int usesBeforeTable) {
        int size = Math.min(SignatureBatch.CAPACITY_MAX / 4, vectors.count());
        int wrongCount = 0;
        long beganNs = System.nanoTime();
        try (SignatureVerifier verifier = opened(opening(size, usesBeforeTable))) {
            print(
                    "device opened in %.2f s (driver's compilation, generator's table, self-test)%n",
                    secondsSince(beganNs));
            for (int first = 0; first < vectors.count(); first += size) {
                SignatureBatch batch = vectors.batch(first, size);
                verifier.verify(batch);
                wrongCount += vectors.wrongCount(batch, first);
            }
            print(
                    "%d mixed signatures compared: %d wrong; counters %s%n%n",
                    vectors.count(), wrongCount, verifier.counters());
            if (wrongCount > 0 || !verifier.provider().equals(GpuProvider.NAME)) {
                throw new IllegalStateException(
                        wrongCount + " wrong verdicts, at the end from provider " + verifier.provider());
            }
        }
    }

    private void printVerifiers(SignedVectors vectors) throws InterruptedException, ExecutionException {
        VerifierRate rate = new VerifierRate(vectors, options.millis);
        print("### from Java, messages given, everything counted; signatures per second%n%n");
        print("| verifier | threads | batch | verifications/s |%n|---|---|---|---|%n");
        for (String provider : List.of("bc", "jni", GpuProvider.NAME)) {
            try (SignatureVerifier verifier = provider.equals(GpuProvider.NAME)
                    ? opened(opening(LANE_ROWS, 1))
                    : SignatureProviders.named(provider)) {
                for (int threads : options.threads) {
                    for (int batch : options.batches) {
                        double perSecond = rate.measure(verifier, threads, batch);
                        if (!verifier.provider().equals(provider)) {
                            throw new IllegalStateException("the device is not used any more: "
                                    + verifier.deviceFault().orElse(verifier.provider()));
                        }
                        print("| %s | %d | %d | %,.0f |%n", provider, threads, batch, perSecond);
                    }
                }
            } catch (IllegalArgumentException e) {
                print("| %s | | | %s |%n", provider, e.getMessage());
            }
        }
        print("%nThe source paper's tables 10 and 11, whole system, 4 replicas, NVIDIA M40: CPU 9,749 and GPU 46,421%n"
                + "transactions per second at one order per transaction (57 and 21 ms); CPU 8,654 and GPU 36,855 at%n"
                + "ten. These are rates of a platform, not of a verifier.%n");
    }

    private static double secondsSince(long beganNs) {
        return (System.nanoTime() - beganNs) / NS_PER_SECOND;
    }

    private void print(String format, Object... values) {
        out.printf(Locale.ROOT, format, values);
    }
}
