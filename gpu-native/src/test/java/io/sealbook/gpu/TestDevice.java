package io.sealbook.gpu;

import io.sealbook.crypto.Opening;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerifierSettings;
import io.sealbook.gpu.standin.StandInDriver;

/**
 * The stand-in device behind a provider, with limits so low that everything happens: full lanes, tables put out,
 * several lanes a batch.
 */
final class TestDevice {
    static final KernelImage SOURCE = new KernelImage(StandInDriver.SOURCE_IMAGE);

    /** Every verdict is checked, so that a wrong one opens the breaker. */
    static final GpuSettings SMALL =
            new GpuSettings(0, 3, 50, 32, 6, 5, 2 * new CombTable(5).sizeBytes(), 3, 0, 1, 4, 60_000, 120_000);

    private TestDevice() {}

    static GpuProvider provider(KernelImage image) {
        StandInDriver.load();
        return new GpuProvider(() -> CudaProbe.of(new JCudaDriverCalls()), () -> image);
    }

    static GpuVerifier open(KernelImage image, GpuSettings config) {
        Opening<SignatureVerifier> opening = provider(image).open(config, VerifierSettings.best());
        if (opening instanceof Opening.Opened<SignatureVerifier> opened) {
            return (GpuVerifier) opened.value();
        }
        throw new AssertionError(opening);
    }
}
