package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GpuConfigTest {
    @Test
    void shouldHaveDefaults() {
        GpuConfig config = GpuConfig.ofSystemProperties();

        assertThat(config.keyTable().sizeBytes()).isEqualTo(256 << 10);
        assertThat(config.generatorTable().sizeBytes()).isEqualTo(32 << 20);
    }

    @Test
    void shouldRefuseWhatNoDeviceCanDo() {
        assertThatThrownBy(() -> new GpuConfig(0, 3, 64, 100, 8, 8, 1 << 20, 40, 64, 1000, 4, 5_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sealbook.gpu.blockSize cannot be 100");
        assertThatThrownBy(() -> new GpuConfig(0, 3, 64, 128, 8, 17, 1 << 20, 40, 64, 1000, 4, 5_000))
                .hasMessage("sealbook.gpu.keyWindowBits cannot be 17");
    }
}
