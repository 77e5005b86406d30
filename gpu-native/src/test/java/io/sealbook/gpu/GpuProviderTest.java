package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.Opening;
import io.sealbook.crypto.SignatureProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.VerifierSettings;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import jcuda.CudaException;
import org.junit.jupiter.api.Test;

/** What the provider reports of machines with and without a device; none of it needs one. */
class GpuProviderTest {
    private static final CudaDevice DEVICE = new CudaDevice(0, "Test Device", 9, 0, 80L << 30);

    @Test
    void shouldBeFoundByServiceLoader() {
        assertThat(ServiceLoader.load(SignatureProvider.class))
                .extracting(SignatureProvider::name)
                .contains("bc", "gpu");
    }

    /** Runs against this machine as it is, with or without a device. */
    @Test
    void shouldReportThisMachineInOneLine() {
        SignatureProviders.Choice choice = SignatureProviders.choose(VerifierSettings.best());

        assertThat(choice.findings())
                .filteredOn(finding -> finding.provider().equals("gpu"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.detail()).isNotBlank().doesNotContain("\n"));
        choice.verifier().close();
    }

    @Test
    void shouldBeAbsentOnAnOrdinaryMachine() {
        GpuProvider provider = provider(CudaProbe.of(List::of, false));

        assertThat(provider.open(VerifierSettings.best())).isEqualTo(new Opening.Absent<>("no CUDA device"));
    }

    @Test
    void shouldFailWhereTheDriverShowsNoDevice() {
        GpuProvider provider = provider(CudaProbe.of(
                () -> {
                    throw new CudaException("CUDA_ERROR_SYSTEM_DRIVER_MISMATCH");
                },
                true));

        assertThat(provider.open(VerifierSettings.best()))
                .isEqualTo(new Opening.Failed<>(
                        "the CUDA driver refused (CudaException: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)"));
    }

    @Test
    void shouldExplainMissingLibraryInOneLine() {
        CudaProbe probe = CudaProbe.of(() -> {
            throw new UnsatisfiedLinkError("Error while loading native library \"JCudaDriver\"\nOperating system\n...");
        });

        assertThat(probe.devices()).isEmpty();
        assertThat(probe.absence())
                .isEqualTo("JCuda's native library or the CUDA driver cannot be loaded"
                        + " (UnsatisfiedLinkError: Error while loading native library \"JCudaDriver\")");
    }

    @Test
    void shouldKeepLongReasonsShort() {
        CudaProbe probe = CudaProbe.of(() -> {
            throw new NoClassDefFoundError("x".repeat(5000));
        });

        assertThat(probe.absence()).hasSizeLessThan(300);
    }

    @Test
    void shouldAskDriverOnce() {
        AtomicInteger askedCount = new AtomicInteger();
        CudaProbe probe = CudaProbe.of(() -> {
            askedCount.incrementAndGet();
            return List.of();
        });
        GpuProvider provider = provider(probe);

        provider.open(VerifierSettings.best());
        provider.open(VerifierSettings.best());

        assertThat(askedCount).hasValue(1);
    }

    /** As after a fault of the bus: the driver is there, and its first call never returns. */
    @Test
    void shouldNotWaitForDriverThatNeverAnswers() {
        CountDownLatch never = new CountDownLatch(1);
        GpuProvider provider = new GpuProvider(
                () -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return CudaProbe.of(List::of, false);
                },
                KernelImage::ofResource);

        assertThat(provider.open(new VerifierSettings("gpu", Map.of("gpu.open-timeout-ms", "50"))))
                .isEqualTo(new Opening.Failed<>("the CUDA driver has not answered in 50 ms"));

        never.countDown();
    }

    @Test
    void shouldNameTheDeviceItFound() {
        assertThat(CudaProbe.of(() -> List.of(DEVICE)).devices()).containsExactly(DEVICE);
        assertThat(DEVICE).hasToString("Test Device (sm_90, 81920 MiB)");
    }

    private static GpuProvider provider(CudaProbe probe) {
        return new GpuProvider(() -> probe, KernelImage::ofResource);
    }
}
