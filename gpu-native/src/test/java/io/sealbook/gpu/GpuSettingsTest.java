package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.crypto.ProviderSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GpuSettingsTest {
    @Test
    void shouldHaveDefaults() {
        GpuSettings settings = GpuSettings.defaults();

        assertThat(settings)
                .isEqualTo(new GpuSettings(0, 3, 16_384, 128, 16, 8, 1 << 30, 40, 64, 1_000, 4, 5_000, 120_000));
        assertThat(settings.keyTable().sizeBytes()).isEqualTo(256 << 10);
        assertThat(settings.generatorTable().sizeBytes()).isEqualTo(32 << 20);
    }

    /** Distinct values: none can be read under the key of another. */
    @Test
    void shouldReadEverySetting() {
        Map<String, String> values = Map.ofEntries(
                Map.entry("device-ordinal", "1"),
                Map.entry("lane-count", "2"),
                Map.entry("lane-rows-max", "3"),
                Map.entry("block-size", "64"),
                Map.entry("generator-window-bits", "5"),
                Map.entry("key-window-bits", "6"),
                Map.entry("tables-bytes-max", "8000000000"),
                Map.entry("uses-before-table", "7"),
                Map.entry("small-batch-max", "8"),
                Map.entry("sample-interval", "9"),
                Map.entry("refusal-checks-max", "10"),
                Map.entry("answer-timeout-ms", "11"),
                Map.entry("open-timeout-ms", "12"));

        assertThat(GpuSettings.of(new ProviderSettings("gpu", values)))
                .isEqualTo(new GpuSettings(1, 2, 3, 64, 5, 6, 8_000_000_000L, 7, 8, 9, 10, 11, 12));
    }

    @Test
    void shouldRefuseWhatNoDeviceCanDo() {
        assertThatThrownBy(() -> new GpuSettings(0, 3, 64, 100, 8, 8, 1 << 20, 40, 64, 1000, 4, 5_000, 120_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("verifier.gpu.block-size=100 is not a multiple of 32 in 32..256");
        assertThatThrownBy(() -> new GpuSettings(0, 3, 64, 128, 8, 17, 1 << 20, 40, 64, 1000, 4, 5_000, 120_000))
                .hasMessage("verifier.gpu.key-window-bits=17 is not in 2..16");
        assertThatThrownBy(() -> new GpuSettings(0, 3, 64, 128, 8, 8, 1 << 10, 40, 64, 1000, 4, 5_000, 120_000))
                .hasMessage("verifier.gpu.tables-bytes-max=1024 is below 262144");
        assertThatThrownBy(() -> new GpuSettings(0, 3, 64, 128, 8, 8, 1 << 20, 65_537, 64, 1000, 4, 5_000, 120_000))
                .hasMessage("verifier.gpu.uses-before-table=65537 is not in 1..65536");
    }

    @Test
    void shouldRefuseUnknownSetting() {
        assertThatThrownBy(() -> GpuSettings.of(new ProviderSettings("gpu", Map.of("lanes", "2"))))
                .hasMessageStartingWith("unknown keys [lanes] in verifier.gpu.*, known are [answer-timeout-ms, ");
    }
}
