package io.sealbook.gpu;

import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.Opening;
import io.sealbook.crypto.ProviderSettings;
import io.sealbook.crypto.SignatureProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerifierSettings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The provider {@code gpu}: SM2 verification on the first CUDA device, and everything else on the CPU.
 *
 * <p>It looks for a device once per process and only if it is opened. A machine without a device is an ordinary one; a
 * device that cannot be opened or fails its self-test is a fault.
 */
public final class GpuProvider implements SignatureProvider {
    /** Name of this provider. */
    public static final String NAME = "gpu";

    private final Supplier<CudaProbe> probe;
    private final Supplier<KernelImage> image;

    /** For {@link java.util.ServiceLoader}; touches no device. */
    public GpuProvider() {
        this(() -> ProcessProbe.PROBE, KernelImage::ofResource);
    }

    GpuProvider(Supplier<CudaProbe> probe, Supplier<KernelImage> image) {
        this.probe = probe;
        this.image = image;
    }

    /**
     * Asks the driver at class initialisation, which the JVM runs once: JCuda cannot be loaded again after a failure.
     */
    private static final class ProcessProbe {
        static final CudaProbe PROBE = CudaProbe.of(new JCudaDriverCalls());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void check(ProviderSettings settings) {
        GpuSettings.of(settings);
    }

    @Override
    public Opening<SignatureVerifier> open(VerifierSettings settings) {
        return open(GpuSettings.of(settings.of(NAME)), settings);
    }

    /** Asks the driver on a thread that may be left behind: a driver whose device is lost may never answer. */
    private CudaProbe look(int timeoutMs) {
        FutureTask<CudaProbe> answer = new FutureTask<>(probe::get);
        Thread asking = new Thread(answer, "gpu-probe");
        asking.setDaemon(true);
        asking.start();
        try {
            return answer.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return new CudaProbe(List.of(), "the CUDA driver has not answered in " + timeoutMs + " ms", true);
        } catch (ExecutionException e) {
            return new CudaProbe(List.of(), "the CUDA driver cannot be asked: " + e.getCause(), true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new CudaProbe(List.of(), "interrupted while the CUDA driver was asked", true);
        }
    }

    /**
     * Opens the device that the settings name.
     *
     * @param config of the device
     * @param settings of the provider on the CPU beside it
     */
    Opening<SignatureVerifier> open(GpuSettings config, VerifierSettings settings) {
        CudaProbe found = look(config.openTimeoutMs());
        if (found.devices().isEmpty()) {
            return found.isFault() ? new Opening.Failed<>(found.absence()) : new Opening.Absent<>(found.absence());
        }
        if (config.deviceOrdinal() >= found.devices().size()) {
            return new Opening.Failed<>("there is no CUDA device " + config.deviceOrdinal());
        }
        CudaDevice device = found.devices().get(config.deviceOrdinal());
        SignatureProviders.Choice cpu = SignatureProviders.chooseBeside(NAME, settings);
        GpuCounters counters = new GpuCounters();
        RowEngine engine;
        try {
            engine = new CudaEngine(device, image.get(), config, counters);
        } catch (DeviceException e) {
            cpu.verifier().close();
            return new Opening.Failed<>("found " + device + ", but " + e.getMessage());
        }
        Optional<String> failure = DeviceSelfTest.failure(engine, cpu.verifier(), config.usesBeforeTable());
        GpuVerifier verifier = new GpuVerifier(engine, cpu.verifier(), config, counters);
        if (failure.isPresent()) {
            verifier.close();
            return new Opening.Failed<>(
                    "found " + engine.description() + ", but its self-test failed: " + failure.get());
        }
        return new Opening.Opened<>(
                verifier, engine.description() + ", " + cpu.verifier().provider() + " beside it");
    }
}
