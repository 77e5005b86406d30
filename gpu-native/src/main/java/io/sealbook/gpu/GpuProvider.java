package io.sealbook.gpu;

import io.sealbook.crypto.SignatureProvider;
import io.sealbook.crypto.SignatureVerifier;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The provider {@code gpu}. It looks for a CUDA device, once per process and only when asked, and reports what it found.
 *
 * <p>The kernels are not called yet, so {@link #openVerifier} is always empty and {@link #status} says so, whatever device
 * there is.
 */
public final class GpuProvider implements SignatureProvider {
    /** Name of this provider. */
    public static final String NAME = "gpu";

    private final Supplier<CudaProbe> probe;

    /** For {@link java.util.ServiceLoader}; touches no device. */
    public GpuProvider() {
        this(() -> ProcessProbe.PROBE);
    }

    GpuProvider(Supplier<CudaProbe> probe) {
        this.probe = probe;
    }

    /** Asks the driver at class initialisation, which the JVM runs once: JCuda cannot be loaded again after a failure. */
    private static final class ProcessProbe {
        static final CudaProbe PROBE = CudaProbe.of(new JCudaDriverCalls());
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Returns 0: nothing is verified here. */
    @Override
    public int verificationsPerSecond() {
        return 0;
    }

    @Override
    public Optional<SignatureVerifier> openVerifier() {
        return Optional.empty();
    }

    @Override
    public String status() {
        CudaProbe found = probe.get();
        return found.devices().isEmpty()
                ? found.absence()
                : "found " + found.devices().get(0) + ", but its kernels are not used yet";
    }
}
