package io.sealbook.gpu;

import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.SignatureProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The provider {@code gpu}: SM2 verification on the first CUDA device, and everything else on the CPU.
 *
 * <p>It looks for a device once per process and only when asked. Where there is no driver, no device or no native library, or where the
 * device fails its self-test, {@link #openVerifier} is empty and {@link #status} tells why in one line.
 */
public final class GpuProvider implements SignatureProvider {
    /** Name of this provider. */
    public static final String NAME = "gpu";

    /** The lower end of what instruction counts predict for one H200 end to end; no device has been measured yet. */
    private static final int VERIFICATIONS_PER_SECOND = 10_000_000;

    /** What verifies on the CPU, best first. */
    private static final String[] CPU_PROVIDERS = {"jni", "bc"};

    private final Supplier<CudaProbe> probe;
    private final Supplier<KernelImage> image;
    private volatile String outcome = "";

    /** For {@link java.util.ServiceLoader}; touches no device. */
    public GpuProvider() {
        this(() -> ProcessProbe.PROBE, KernelImage::ofResource);
    }

    GpuProvider(Supplier<CudaProbe> probe, Supplier<KernelImage> image) {
        this.probe = probe;
        this.image = image;
    }

    /** Asks the driver at class initialisation, which the JVM runs once: JCuda cannot be loaded again after a failure. */
    private static final class ProcessProbe {
        static final CudaProbe PROBE = CudaProbe.of(new JCudaDriverCalls());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int verificationsPerSecond() {
        return VERIFICATIONS_PER_SECOND;
    }

    @Override
    public Optional<SignatureVerifier> openVerifier() {
        return open(GpuConfig.ofSystemProperties()).map(verifier -> verifier);
    }

    @Override
    public String status() {
        CudaProbe found = probe.get();
        if (found.devices().isEmpty()) {
            return found.absence();
        }
        return outcome.isEmpty() ? "found " + found.devices().get(0) : outcome;
    }

    Optional<GpuVerifier> open(GpuConfig config) {
        CudaProbe found = probe.get();
        if (config.deviceOrdinal() >= found.devices().size()) {
            outcome = found.devices().isEmpty() ? "" : "there is no CUDA device " + config.deviceOrdinal();
            return Optional.empty();
        }
        GpuCounters counters = new GpuCounters();
        SignatureVerifier cpu = cpuVerifier();
        RowEngine engine;
        try {
            engine = new CudaEngine(found.devices().get(config.deviceOrdinal()), image.get(), config, counters);
        } catch (DeviceException e) {
            outcome = "found " + found.devices().get(config.deviceOrdinal()) + ", but " + e.getMessage();
            cpu.close();
            return Optional.empty();
        }
        Optional<String> failure = DeviceSelfTest.failure(engine, cpu, config.usesBeforeTable());
        GpuVerifier verifier = new GpuVerifier(engine, cpu, config, counters);
        if (failure.isPresent()) {
            outcome = "found " + engine.description() + ", but its self-test failed: " + failure.get();
            verifier.close();
            return Optional.empty();
        }
        outcome = engine.description() + ", " + cpu.provider() + " beside it";
        return Optional.of(verifier);
    }

    /** Returns the best verifier of the CPU; there is always {@code bc}. */
    static SignatureVerifier cpuVerifier() {
        for (String name : CPU_PROVIDERS) {
            try {
                return SignatureProviders.named(name);
            } catch (IllegalArgumentException e) {
                // Not on this machine, and the last of them is everywhere.
                continue;
            }
        }
        throw new IllegalStateException("no provider verifies on the CPU");
    }
}
