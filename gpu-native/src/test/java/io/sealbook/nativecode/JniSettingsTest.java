package io.sealbook.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.ProviderSettings;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.VerifierSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JniSettingsTest {
    private static JniSettings read(Map<String, String> values) {
        return JniSettings.of(new ProviderSettings("jni", values));
    }

    @Test
    void shouldReadEverySetting() {
        assertThat(read(Map.of())).isEqualTo(new JniSettings(JniSettings.Code.AUTO, 64));
        assertThat(read(Map.of("code", "adx", "tables-mib", "0"))).isEqualTo(new JniSettings(JniSettings.Code.ADX, 0));
    }

    @Test
    void shouldRefuseWhatIsWrong() {
        assertThatThrownBy(() -> read(Map.of("code", "abacus")))
                .hasMessage("verifier.jni.code=abacus is none of [auto, portable, adx, ifma]");
        assertThatThrownBy(() -> read(Map.of("tables-mib", "-1")))
                .hasMessage("verifier.jni.tables-mib=-1 is not in 0..1048576");
        assertThatThrownBy(() -> read(Map.of("tables", "1")))
                .hasMessage("unknown keys [tables] in verifier.jni.*, known are [code, tables-mib]");
    }

    @Test
    void shouldGiveTheBackendOnlyIfTheProcessorHasIt() {
        assertThat(read(Map.of()).backend(Backend.ADX)).isEqualTo(Backend.ADX);
        assertThat(read(Map.of("code", "portable")).backend(Backend.IFMA)).isEqualTo(Backend.PORTABLE);
        assertThatThrownBy(() -> read(Map.of("code", "ifma")).backend(Backend.ADX))
                .hasMessage("the processor lacks AVX-512 IFMA, for which verifier.jni.code asks; its best is"
                        + " MULX and ADX");
    }

    /** The whole way from a process's settings to the verifier. */
    @Test
    void shouldRunTheCodeThatTheSettingsName() {
        assumeTrue(NativeLibrary.isLoaded(), "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());

        SignatureProviders.Choice choice = SignatureProviders.choose(
                new VerifierSettings("jni", Map.of("jni.code", "portable", "jni.tables-mib", "1")));

        try (JniVerifier verifier = (JniVerifier) choice.verifier()) {
            assertThat(verifier.tables().tablesMax()).isEqualTo(2);
            assertThat(choice.findings())
                    .anySatisfy(finding -> assertThat(finding.toString())
                            .startsWith("jni: chosen")
                            .endsWith("portable code"));
        }
        assertThatThrownBy(() ->
                        SignatureProviders.choose(new VerifierSettings("best", Map.of("jni.dispatch", "portable"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown keys [dispatch] in verifier.jni.*");
    }
}
