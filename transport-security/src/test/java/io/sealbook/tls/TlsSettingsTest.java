package io.sealbook.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsSettingsTest {
    @Test
    void shouldBeOffByDefaultOnThisMachine() {
        assertThat(read(Map.of(), "127.0.0.1", "::1", "localhost").isRequired()).isFalse();
        assertThat(read(Map.of()).isRequired()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1", "", "a-name-that-nobody-has.invalid"})
    void shouldBeRequiredByDefaultWhereOthersReachIt(String address) {
        assertThat(read(Map.of(), "127.0.0.1", address).isRequired()).isTrue();
    }

    @Test
    void shouldRefuseToBeOffWhereOthersReachIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("tls", "off"), "127.0.0.1", "0.0.0.0"))
                .withMessageContaining("tls=off")
                .withMessageContaining("'0.0.0.0'")
                .withMessageContaining("tls=required");
    }

    @Test
    void shouldRefuseAnotherWord() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("tls", "on")))
                .withMessage("tls=on is none of [off, required]");
    }

    @Test
    void shouldNameFilesFromTheDirectory() {
        TlsSettings settings =
                read(Map.of("tls", "required", "tls-key", "/keys/mine.pem")).in(Path.of("/net/node0"));

        assertThat(settings.certificate()).isEqualTo(Path.of("/net/node0/tls/certificate.pem"));
        assertThat(settings.key()).isEqualTo(Path.of("/keys/mine.pem"));
        assertThat(settings.trusted()).isEqualTo(Path.of("/net/node0/tls/trusted.pem"));
    }

    private static TlsSettings read(Map<String, String> properties, String... addresses) {
        return TlsSettings.of(properties::get, List.of(addresses));
    }
}
