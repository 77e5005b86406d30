package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.crypto.SignatureProvider;
import io.sealbook.crypto.SignatureProviders;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicInteger;
import jcuda.CudaException;
import org.junit.jupiter.api.Test;

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
        GpuProvider provider = new GpuProvider();

        String status = provider.status();

        assertThat(status).isNotBlank().doesNotContain("\n");
        assertThat(new GpuProvider().status()).isEqualTo(status);
    }

    @Test
    void shouldLeaveVerificationToOthers() {
        SignatureProviders.Choice choice = SignatureProviders.chooseBest();

        assertThat(choice.verifier().provider()).isNotEqualTo("gpu");
        assertThat(choice.description()).anyMatch(line -> line.startsWith("gpu: "));
        choice.verifier().close();
    }

    @Test
    void shouldSayWhyItCannotServeWhenNamed() {
        assertThatThrownBy(() -> SignatureProviders.named("gpu"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gpu: absent, " + new GpuProvider().status());
    }

    @Test
    void shouldExplainMissingLibraryInOneLine() {
        CudaProbe probe = CudaProbe.of(() -> {
            throw new UnsatisfiedLinkError("Error while loading native library \"JCudaDriver\"\nOperating system\n...");
        });

        assertThat(probe.devices()).isEmpty();
        assertThat(probe.absence())
                .isEqualTo("JCuda's native library or the CUDA driver is not installed"
                        + " (UnsatisfiedLinkError: Error while loading native library \"JCudaDriver\")");
    }

    @Test
    void shouldExplainRefusalOfDriver() {
        CudaProbe probe = CudaProbe.of(() -> {
            throw new CudaException("CUDA_ERROR_NO_DEVICE");
        });

        assertThat(probe.absence()).isEqualTo("the CUDA driver refused (CudaException: CUDA_ERROR_NO_DEVICE)");
    }

    @Test
    void shouldKeepLongReasonsShort() {
        CudaProbe probe = CudaProbe.of(() -> {
            throw new NoClassDefFoundError("x".repeat(5000));
        });

        assertThat(probe.absence()).hasSizeLessThan(300);
    }

    @Test
    void shouldReportMachineWithoutDevice() {
        assertThat(CudaProbe.of(List::of).absence()).isEqualTo("no CUDA device");
    }

    @Test
    void shouldAskDriverOnce() {
        AtomicInteger askedCount = new AtomicInteger();

        CudaProbe probe = CudaProbe.of(() -> {
            askedCount.incrementAndGet();
            return List.of(DEVICE);
        });
        GpuProvider provider = new GpuProvider(() -> probe, KernelImage::ofResource);
        provider.status();
        provider.status();

        assertThat(askedCount).hasValue(1);
    }
}
